// Server state lives here and nowhere else.
import { QueryClient } from "@tanstack/react-query";
import { onSignedOut, Problem } from "./client";

export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < 2 && (!(error instanceof Problem) || [0, 429, 503].includes(error.status)),
      },
    },
  });
  onSignedOut(() => void client.invalidateQueries({ queryKey: ["session"] }));
  return client;
}
