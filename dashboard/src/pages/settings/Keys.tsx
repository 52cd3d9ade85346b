import { useState } from "react";
import { useKeyList, useRevokeKey, type Key } from "../../api/access";
import { useOnly } from "../../api/may";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Empty } from "../../parts/Empty";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { toast } from "../../parts/Toast";
import { When } from "../../parts/When";
import { NewKeyDialog } from "./NewKeyDialog";
import styles from "./Settings.module.css";
import { byUse, keyStatus } from "./words";

/** What programs come in with. */
export function Keys() {
  const keys = useKeyList();
  const revoke = useRevokeKey();
  const only = useOnly("admin");
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<Key>();
  const columns: Column<Key>[] = [
    { id: "name", head: "Name", cell: (key) => key.name || <span className="quiet">no name</span> },
    { id: "id", head: "Id", wide: true, cell: (key) => <code>{key.id}</code> },
    { id: "role", head: "Role", cell: (key) => key.role },
    { id: "scopes", head: "Reaches", wide: true, cell: (key) => (key.scopes?.length ? key.scopes.join(", ") : <span className="quiet">everything</span>) },
    { id: "evidence", head: "Teaches", wide: true, cell: (key) => (key.evidence ? "yes" : "no") },
    { id: "used", head: "Last used", wide: true, cell: (key) => (key.last_used_at ? <When at={key.last_used_at} /> : <span className="quiet">never</span>) },
    { id: "expires", head: "Expires", wide: true, cell: (key) => (key.expires_at ? <When at={key.expires_at} /> : <span className="quiet">never</span>) },
    { id: "status", head: "Stands", cell: (key) => <Status status={keyStatus(key)} plain /> },
    {
      id: "revoke",
      head: <span className="unseen">Revoke</span>,
      number: true,
      cell: (key) =>
        keyStatus(key) === "active" && (
          <Button look="danger" onClick={() => setEnding(key)} {...only}>
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <Section
      title="Keys"
      actions={
        <Button look="primary" icon="plus" onClick={() => setMaking(true)} {...only}>
          New key
        </Button>
      }
    >
      <div className={styles.stack}>
        <Asked query={keys} nothing={(found) => found.keys.length === 0} empty={<Empty title="There are no keys." />}>
          {(found) => <Table label="Keys" columns={columns} rows={byUse(found.keys)} id={(key) => key.id} />}
        </Asked>
      </div>
      {making && <NewKeyDialog onClose={() => setMaking(false)} />}
      {ending && (
        <Confirm
          title={`Revoke ${ending.name ? `the key ${ending.name}` : ending.id}?`}
          yes="Revoke"
          danger
          busy={revoke.isPending}
          error={revoke.error}
          onClose={() => setEnding(undefined)}
          onYes={() => revoke.mutate(ending.id, { onSuccess: () => (toast("Revoked."), setEnding(undefined)) })}
        >
          Whoever comes with it is turned away at once. That cannot be taken back.
        </Confirm>
      )}
    </Section>
  );
}
