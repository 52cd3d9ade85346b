import { useState } from "react";
import { usePeople, useRemovePerson, type Member } from "../../api/access";
import { useOnly } from "../../api/may";
import { useSession } from "../../api/session";
import { Asked } from "../../parts/Asked";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Empty } from "../../parts/Empty";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { Table, type Column } from "../../parts/Table";
import { toast } from "../../parts/Toast";
import { When } from "../../parts/When";
import { InviteDialog } from "./InviteDialog";
import { MAY } from "./words";

/** Who signs in here. */
export function People() {
  const people = usePeople();
  const remove = useRemovePerson();
  const only = useOnly("admin");
  const session = useSession().data;
  const me = session?.signed_in ? session.person.name : undefined;
  const [inviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Member>();
  const columns: Column<Member>[] = [
    { id: "name", head: "Name", cell: (one) => <>{one.name} {one.name === me && <span className="quiet">you</span>}</> },
    { id: "role", head: "Role", cell: (one) => <span title={MAY[one.role]}>{one.role}</span> },
    { id: "password", head: "Stands", cell: (one) => <Status status={one.has_password ? "active" : "pending"} word={one.has_password ? "has a password" : "no password yet"} plain /> },
    { id: "seen", head: "Last seen", wide: true, cell: (one) => (one.last_seen_at ? <When at={one.last_seen_at} /> : <span className="quiet">never</span>) },
    { id: "since", head: "Since", wide: true, cell: (one) => <When at={one.created_at} /> },
    {
      id: "remove",
      head: <span className="unseen">Remove</span>,
      number: true,
      cell: (one) => (
        <Button look="danger" onClick={() => setLeaving(one)} {...only} {...(one.name === me ? { disabled: true, title: "You cannot remove yourself." } : {})}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="People"
      actions={
        <Button look="primary" icon="plus" onClick={() => setInviting(true)} {...only}>
          Invite somebody
        </Button>
      }
    >
      <Asked query={people} nothing={(found) => found.people.length === 0} empty={<Empty title="Nobody signs in here yet." />}>
        {(found) => <Table label="People" columns={columns} rows={found.people} id={(one) => one.name} />}
      </Asked>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {leaving && (
        <Confirm
          title={`Remove ${leaving.name}?`}
          yes="Remove"
          danger
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setLeaving(undefined)}
          onYes={() => remove.mutate(leaving.name, { onSuccess: () => (toast(`${leaving.name} is removed.`), setLeaving(undefined)) })}
        >
          They are signed out everywhere and cannot come back. What they did stays on record.
        </Confirm>
      )}
    </Section>
  );
}
