import { useState } from "react";
import { useInvite } from "../../api/access";
import { ROLES, type RoleName } from "../../api/session";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Input, Select } from "../../parts/Field";
import { Secret } from "../../parts/Secret";
import styles from "./Settings.module.css";
import { MAY } from "./words";

/** Adds a person, and shows the link they come in with once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  const [name, setName] = useState("");
  const [role, setRole] = useState<RoleName>("viewer");
  if (invite.data) {
    return (
      <Dialog title={`${invite.data.person.name} is invited`} onClose={onClose} foot={<Button look="primary" onClick={onClose}>I have it</Button>}>
        <div className={styles.form}>
          <p>Send them this link. It works once, and is shown this once.</p>
          <Secret label="The invitation" value={`${location.origin}/welcome#${invite.data.token}`} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ name: name.trim(), role });
        }}
      >
        <Input label="Name" required autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} problem={invite.error?.message} />
        <Select
          label="Role"
          hint={`They may ${MAY[role]}.`}
          value={role}
          onChange={(event) => setRole(event.target.value as RoleName)}
          options={ROLES.map((one) => ({ value: one, label: one }))}
        />
        <div className={styles.acts}>
          <Button type="submit" look="primary" busy={invite.isPending}>
            Invite
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
