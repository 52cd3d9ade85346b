import { useState } from "react";
import { AREAS, useCreateKey } from "../../api/access";
import { ROLES, type RoleName } from "../../api/session";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Check, Input, Select } from "../../parts/Field";
import { Secret } from "../../parts/Secret";
import styles from "./Settings.module.css";
import { MAY } from "./words";

/** Makes a key, and shows its secret once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateKey();
  const [name, setName] = useState("");
  const [role, setRole] = useState<RoleName>("runner");
  const [scopes, setScopes] = useState<string[]>([]);
  const [days, setDays] = useState("90");
  const [evidence, setEvidence] = useState(false);
  if (create.data) {
    return (
      <Dialog title="The key is made" onClose={onClose} foot={<Button look="primary" onClick={onClose}>I have it</Button>}>
        <div className={styles.form}>
          <p>Copy it now: it is shown this once and kept nowhere.</p>
          <Secret label="The key" value={create.data.secret} />
          <p className="quiet">
            Programs send it as <code>Authorization: Bearer {create.data.secret.slice(0, 10)}…</code>
          </p>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="New key" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({
            name: name.trim() || undefined,
            role,
            scopes: scopes.length > 0 ? scopes : undefined,
            expires_in_days: days ? Number(days) : undefined,
            evidence: evidence || undefined,
          });
        }}
      >
        <Input label="Name" hint="What it is for. It stands in the ledger beside what is done with it." value={name} onChange={(event) => setName(event.target.value)} />
        <Select
          label="Role"
          hint={`Whoever has it may ${MAY[role]}.`}
          value={role}
          onChange={(event) => setRole(event.target.value as RoleName)}
          options={ROLES.map((one) => ({ value: one, label: one }))}
        />
        <fieldset className={styles.scopes}>
          <legend>Reaches only</legend>
          {AREAS.map((area) => (
            <Check
              key={area}
              label={area}
              checked={scopes.includes(area)}
              onChange={(event) => setScopes(event.target.checked ? [...scopes, area] : scopes.filter((one) => one !== area))}
            />
          ))}
          <p className="quiet">Without a choice it reaches everything its role may.</p>
        </fieldset>
        <Select
          label="Expires"
          value={days}
          onChange={(event) => setDays(event.target.value)}
          options={[
            { value: "7", label: "in a week" },
            { value: "30", label: "in 30 days" },
            { value: "90", label: "in 90 days" },
            { value: "365", label: "in a year" },
            { value: "", label: "never" },
          ]}
        />
        <Check label="What it sends is learnt from" checked={evidence} onChange={(event) => setEvidence(event.target.checked)} />
        {create.error && (
          <p className={styles.problem} role="alert">
            {create.error.message}
          </p>
        )}
        <div className={styles.acts}>
          <Button type="submit" look="primary" icon="key" busy={create.isPending}>
            Make the key
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
