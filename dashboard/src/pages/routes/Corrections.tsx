import { useCorrections, useUncorrect, type Correction } from "../../api/routes";
import { useOnly } from "../../api/may";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Empty } from "../../parts/Empty";
import { Id } from "../../parts/Id";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Table, type Column } from "../../parts/Table";
import { toast, toastProblem } from "../../parts/Toast";
import { When } from "../../parts/When";
import { Correct } from "./Correct";
import styles from "./Routes.module.css";

/** What people said about routes. The same words go where they said from then on. */
export function Corrections() {
  const corrections = useCorrections();
  const undo = useUncorrect();
  const only = useOnly("editor");
  const columns: Column<Correction>[] = [
    { id: "text", head: "Request", cell: (one) => <SafeText text={one.text} /> },
    { id: "was", head: "Went to", cell: (one) => one.was ?? <span className="quiet">plan</span> },
    { id: "role", head: "Should go to", cell: (one) => one.role ?? <span className="quiet">elsewhere</span> },
    { id: "run", head: "Run", wide: true, cell: (one) => <Id id={one.run} /> },
    { id: "by", head: "By", wide: true, cell: (one) => one.by ?? "somebody" },
    { id: "at", head: "When", wide: true, cell: (one) => <When at={one.at} /> },
    {
      id: "undo",
      head: <span className="unseen">Undo</span>,
      number: true,
      cell: (one) => (
        <Button
          busy={undo.isPending && undo.variables === one.run}
          onClick={() => undo.mutate(one.run, { onSuccess: () => toast("Taken back."), onError: toastProblem })}
          {...only}
        >
          Undo
        </Button>
      ),
    },
  ];
  return (
    <div className={styles.stack}>
      <Correct />
      <Section title="What people said">
        <Asked query={corrections} nothing={(found) => found.corrections.length === 0} empty={<Empty title="Nobody has corrected anything." />}>
          {(found) => <Table label="Corrections" columns={columns} rows={found.corrections} id={(one) => one.run} />}
        </Asked>
      </Section>
    </div>
  );
}
