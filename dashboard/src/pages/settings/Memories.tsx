import { useDeferredValue, useState } from "react";
import { useOnly } from "../../api/may";
import { useForget, useMemories, type Memory } from "../../api/memories";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Empty } from "../../parts/Empty";
import { Id } from "../../parts/Id";
import { SafeText } from "../../parts/SafeText";
import { Search } from "../../parts/Search";
import { Table, type Column } from "../../parts/Table";
import { toast } from "../../parts/Toast";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import { share } from "../../words/format";
import styles from "./Settings.module.css";

/** What is remembered from one conversation to the next, and how it is forgotten. */
export function Memories() {
  const address = useAddress();
  const text = address.get("text") ?? "";
  const memories = useMemories(useDeferredValue(text));
  const forget = useForget();
  const only = useOnly("editor");
  const [going, setGoing] = useState<Memory>();
  const columns: Column<Memory>[] = [
    { id: "text", head: "What", cell: (one) => <SafeText text={one.text} /> },
    { id: "importance", head: "Matters", number: true, wide: true, cell: (one) => share(one.importance) },
    { id: "run", head: "From", wide: true, cell: (one) => (one.run ? <Id id={one.run} /> : "–") },
    { id: "at", head: "Since", wide: true, cell: (one) => <When at={one.at} /> },
    {
      id: "forget",
      head: <span className="unseen">Forget</span>,
      number: true,
      cell: (one) => (
        <Button look="danger" onClick={() => setGoing(one)} {...only}>
          Forget
        </Button>
      ),
    },
  ];
  return (
    <div className={styles.stack}>
      <Search label="What is remembered about …" value={text} onChange={(now) => address.set({ text: now })} />
      <Asked
        query={memories}
        nothing={(found) => found.memories.length === 0}
        empty={text ? <Empty title="Nothing like that is remembered." /> : <Empty title="Nothing is remembered.">Say “remember that …” in a request.</Empty>}
      >
        {(found) => <Table label="Memories" columns={columns} rows={found.memories} id={(one) => one.id} />}
      </Asked>
      {going && (
        <Confirm
          title="Forget this?"
          yes="Forget"
          danger
          busy={forget.isPending}
          error={forget.error}
          onClose={() => setGoing(undefined)}
          onYes={() => forget.mutate(going.id, { onSuccess: () => (toast("Forgotten."), setGoing(undefined)) })}
        >
          <SafeText text={going.text} />
        </Confirm>
      )}
    </div>
  );
}
