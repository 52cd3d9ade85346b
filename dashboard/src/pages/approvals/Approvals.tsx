import { useLocation, useRoute } from "wouter";
import { useApprovals } from "../../api/approvals";
import { proposalOf } from "../../api/proposal";
import { useListKeys } from "../../keys/listKeys";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";
import { Split } from "../../parts/Split";
import { Tabs } from "../../parts/Tabs";
import { useAddress } from "../../words/address";
import { ApprovalDetail } from "./ApprovalDetail";
import { ApprovalList } from "./ApprovalList";
import { byRisk, byTime } from "./inbox";

const TABS = [
  { id: "pending", label: "Waiting for you" },
  { id: "decided", label: "Decided" },
  { id: "expired", label: "Expired" },
  { id: "withdrawn", label: "Withdrawn" },
] as const;
type Status = (typeof TABS)[number]["id"];

/** The inbox: what people are asked, with the most at stake first, and beside it what is asked. */
export default function Approvals() {
  const [, go] = useLocation();
  const [, params] = useRoute("/approvals/:approval");
  const wanted = useAddress().get("status");
  const status = TABS.find((tab) => tab.id === wanted)?.id ?? "pending";
  const asked = useApprovals({ status, limit: 100 });
  const order = status === "pending" ? byRisk : byTime;
  const list = order((asked.data?.approvals ?? []).map(proposalOf));
  const query = status === "pending" ? "" : `?status=${status}`;
  const place = (id: string) => `/approvals/${id}${query}`;
  const at = list.findIndex((one) => one.id === params?.approval);
  useListKeys("Approvals", list.map((one) => place(one.id)), at);
  /** After a decision the next one that waits is opened. */
  const decided = (id: string) => {
    const next = list.filter((one) => one.id !== id)[Math.max(at, 0)] ?? list.find((one) => one.id !== id);
    go(next ? place(next.id) : "/approvals");
  };

  return (
    <>
      <PageHeader title="Approvals" sub="What runs may not do by themselves. What you agree to is what is carried out.">
        <Tabs<Status> label="Which" tabs={[...TABS]} value={status} onChange={(id) => go(id === "pending" ? "/approvals" : `/approvals?status=${id}`)} />
      </PageHeader>
      <div role="tabpanel" aria-labelledby={`tab-${status}`}>
        <Split
          back="All approvals"
          backTo={`/approvals${query}`}
          list={
            <Asked query={asked} nothing={() => list.length === 0} empty={params ? null : <Nothing status={status} />}>
              {() => <ApprovalList proposals={list} selected={params?.approval} place={place} />}
            </Asked>
          }
        >
          {params && <ApprovalDetail key={params.approval} id={params.approval} onDecided={decided} />}
        </Split>
      </div>
    </>
  );
}

function Nothing({ status }: { status: Status }) {
  if (status !== "pending") return <Empty title="Nothing here." />;
  return (
    <Empty title="Nobody waits for you.">
      When a run wants to do something that a rule reserves for people, it is put here and the run waits.
    </Empty>
  );
}
