import { useLocation, useRoute } from "wouter";
import { PageHeader } from "../../parts/PageHeader";
import { Tabs } from "../../parts/Tabs";
import { Audit } from "./Audit";
import { Configured } from "./Configured";
import { Keys } from "./Keys";
import { Memories } from "./Memories";
import { People } from "./People";
import { You } from "./You";

const TABS = [
  { id: "you", label: "You" },
  { id: "keys", label: "Keys" },
  { id: "people", label: "People" },
  { id: "memories", label: "Memories" },
  { id: "configuration", label: "Configuration" },
  { id: "audit", label: "Audit trail" },
] as const;
type Tab = (typeof TABS)[number]["id"];

/** Who comes in, what is remembered and configured, and what was done by whom. */
export default function Settings() {
  const [, go] = useLocation();
  const [, params] = useRoute("/settings/:tab");
  const tab = TABS.find((one) => one.id === params?.tab)?.id ?? "you";
  return (
    <>
      <PageHeader title="Settings and keys">
        <Tabs<Tab> label="Settings" tabs={[...TABS]} value={tab} onChange={(id) => go(id === "you" ? "/settings" : `/settings/${id}`)} />
      </PageHeader>
      <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "you" && <You />}
        {tab === "keys" && <Keys />}
        {tab === "people" && <People />}
        {tab === "memories" && <Memories />}
        {tab === "configuration" && <Configured />}
        {tab === "audit" && <Audit />}
      </div>
    </>
  );
}
