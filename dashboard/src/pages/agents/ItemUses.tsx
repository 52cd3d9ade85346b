import { useItemUses, type Shelf, type Use } from "../../api/library";
import { Asked } from "../../parts/Asked";
import { Id } from "../../parts/Id";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { When } from "../../parts/When";
import { share } from "../../words/format";

const COLUMNS: Column<Use>[] = [
  { id: "text", head: "For", cell: (use) => <SafeText text={use.text} /> },
  { id: "decision", head: "How", cell: (use) => use.decision },
  { id: "good", head: "Went", cell: (use) => (use.good == null ? <span className="quiet">not known</span> : <Status status={use.good ? "completed" : "failed"} word={use.good ? "well" : "wrong"} plain />) },
  { id: "score", head: "Fitted", number: true, wide: true, cell: (use) => share(use.score) },
  { id: "run", head: "Run", wide: true, cell: (use) => <Id id={use.run} /> },
  { id: "at", head: "When", number: true, wide: true, cell: (use) => <When at={use.at} /> },
];

export function ItemUses({ shelf, name }: { shelf: Shelf; name: string }) {
  const uses = useItemUses(shelf, name);
  return (
    <Section title="What it was used for">
      <Asked query={uses} lines={3} nothing={(found) => found.uses.length === 0} empty={<p className="quiet">Nothing yet.</p>}>
        {(found) => <Table label="Uses" columns={COLUMNS} rows={found.uses} id={(use) => `${use.run}/${use.step ?? ""}`} />}
      </Asked>
    </Section>
  );
}
