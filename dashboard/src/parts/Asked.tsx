import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failing } from "./Failing";
import { Loading } from "./Loading";

type Props<Data> = {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">;
  lines?: number;
  /** What is drawn where there is nothing; `nothing` says when that is. */
  empty?: ReactNode;
  nothing?: (data: Data) => boolean;
  children: (data: Data) => ReactNode;
};

/** What the server was asked: while it has not said, when it would not, when there is nothing, and at last what it said. */
export function Asked<Data>({ query, lines, empty, nothing, children }: Props<Data>) {
  if (query.data === undefined) {
    if (query.error) return <Failing error={query.error} again={() => void query.refetch()} />;
    return query.isPending ? <Loading lines={lines} /> : null;
  }
  return nothing?.(query.data) ? empty : children(query.data);
}
