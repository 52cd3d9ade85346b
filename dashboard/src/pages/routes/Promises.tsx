import { useState } from "react";
import { Link } from "wouter";
import { useRoles, type Role } from "../../api/routes";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Search } from "../../parts/Search";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { ToolNames } from "../../parts/ToolNames";
import { count, share } from "../../words/format";
import { promiseStatus, promiseWords } from "./lab";
import styles from "./Routes.module.css";

const COLUMNS: Column<Role>[] = [
  {
    id: "name",
    head: "Role",
    cell: (role) => (
      <>
        <Link href={`/routes/quality?role=${encodeURIComponent(role.name)}`}>{role.name}</Link>
        {!role.shipped && <span className="quiet"> yours</span>}
        <p className="quiet">{role.when_to_use}</p>
        <details>
          <summary className={styles.more}>Examples and tools</summary>
          <ul className={styles.said}>
            {role.examples.map((example) => (
              <li key={example}>
                <Link href={`/routes?text=${encodeURIComponent(example)}`}>{example}</Link>
              </li>
            ))}
          </ul>
          <ToolNames names={role.tools} />
        </details>
      </>
    ),
  },
  {
    id: "promise",
    head: "Promise",
    cell: (role) => {
      const { status, word } = promiseStatus(role.certified);
      return (
        <span title={promiseWords(role.certified)}>
          <Status status={status} word={word} plain />
        </span>
      );
    },
  },
  { id: "threshold", head: "From", number: true, wide: true, cell: (role) => (role.certified?.threshold != null ? share(role.certified.threshold, 1) : "–") },
  { id: "alpha", head: "Wrong at most", number: true, wide: true, cell: (role) => (role.certified ? share(role.certified.alpha, 1) : "–") },
  { id: "delta", head: "Except with", number: true, wide: true, cell: (role) => (role.certified ? share(role.certified.delta) : "–") },
  { id: "samples", head: "Samples", number: true, wide: true, cell: (role) => (role.certified ? count(role.certified.samples) : "–") },
];

/** The roles there are, and what is promised about each. */
export function Promises() {
  const roles = useRoles();
  const [text, setText] = useState("");
  const fits = (role: Role) => `${role.name} ${role.when_to_use}`.toLowerCase().includes(text.toLowerCase());
  return (
    <Asked query={roles} nothing={(found) => found.roles.length === 0} empty={<Empty title="There are no roles.">Every request is planned.</Empty>}>
      {(found) => (
        <div className={styles.stack}>
          <Search label="Find a role" value={text} onChange={setText} />
          <Table label="Roles" columns={COLUMNS} rows={found.roles.filter(fits)} id={(role) => role.name} />
        </div>
      )}
    </Asked>
  );
}
