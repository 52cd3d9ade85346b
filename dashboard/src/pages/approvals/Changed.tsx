import { usePlanVersion } from "../../api/plans";
import type { Proposal } from "../../api/proposal";
import { Asked } from "../../parts/Asked";
import { Diff } from "../../parts/Diff";
import { Section } from "../../parts/Section";

/** What is different from the version that somebody agreed to before. */
export function Changed({ proposal }: { proposal: Proposal }) {
  const base = usePlanVersion(proposal.run_id, proposal.base_version ?? 1);
  return (
    <Section title={`What changed since version ${proposal.base_version}, which was agreed to`}>
      <Asked query={base} lines={3}>
        {(page) => <Diff before={page.plan} after={proposal.plan} />}
      </Asked>
    </Section>
  );
}
