import { useLocation, useRoute } from "wouter";
import { PageHeader } from "../../parts/PageHeader";
import { Tabs } from "../../parts/Tabs";
import { Corrections } from "./Corrections";
import { Explain } from "./Explain";
import { Pathways } from "./Pathways";
import { Promises } from "./Promises";
import { QualityPlots } from "./QualityPlots";

const TABS = [
  { id: "try", label: "Try a request" },
  { id: "quality", label: "How often it is right" },
  { id: "roles", label: "Roles and promises" },
  { id: "corrections", label: "Corrections" },
  { id: "pathways", label: "Pathways" },
] as const;
type Tab = (typeof TABS)[number]["id"];

/** Why requests go the way they go, and what is promised about that. */
export default function Routes() {
  const [, go] = useLocation();
  const [, params] = useRoute("/routes/:tab");
  const tab = TABS.find((one) => one.id === params?.tab)?.id ?? "try";
  return (
    <>
      <PageHeader title="Route lab" sub="Which way a request goes, what that rests on, and how often it is right.">
        <Tabs<Tab> label="Route lab" tabs={[...TABS]} value={tab} onChange={(id) => go(id === "try" ? "/routes" : `/routes/${id}`)} />
      </PageHeader>
      <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "try" && <Explain />}
        {tab === "quality" && <QualityPlots />}
        {tab === "roles" && <Promises />}
        {tab === "corrections" && <Corrections />}
        {tab === "pathways" && <Pathways />}
      </div>
    </>
  );
}
