// What people are asked, and what they decide.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Approval, Decide, Inbox } from "./types";

export type ApprovalFilter = { status?: string; run?: string; limit?: number; cursor?: string };

export function useApprovals(filter: ApprovalFilter = { status: "pending" }) {
  return useQuery({
    queryKey: ["approvals", filter],
    queryFn: ({ signal }) => get<Inbox>("/v1/approvals", filter, signal),
    refetchInterval: 10_000,
  });
}

export function useApproval(approval: string | undefined) {
  return useQuery({
    queryKey: ["approval", approval],
    queryFn: ({ signal }) => get<Approval>(`/v1/approvals/${approval}`, {}, signal),
    enabled: approval !== undefined,
  });
}

/** A refusal's `more.approval` is how the question stands now. */
export function useDecide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ approval, ...decision }: Decide & { approval: string }) =>
      post<Approval>(`/v1/approvals/${approval}/decide`, decision),
    onSettled: (_, __, { approval }) => {
      void client.invalidateQueries({ queryKey: ["approvals"] });
      void client.invalidateQueries({ queryKey: ["approval", approval] });
      void client.invalidateQueries({ queryKey: ["overview"] });
      void client.invalidateQueries({ queryKey: ["run"] });
    },
  });
}
