import { useState } from "react";
import { useChangePassword, useSession, useSignOut } from "../../api/session";
import { Button } from "../../parts/Button";
import { Facts } from "../../parts/Facts";
import { Input } from "../../parts/Field";
import { Section } from "../../parts/Section";
import { toast } from "../../parts/Toast";
import { choose, THEMES, useTheme, type Theme } from "../../shell/theme";
import { MAY } from "./words";
import styles from "./Settings.module.css";

/** Who is signed in, how they come back, and how the pages look to them. */
export function You() {
  const session = useSession().data;
  const signOut = useSignOut();
  if (!session?.signed_in) return null;
  const { person, has_password: hasPassword, version } = session;
  return (
    <div className={styles.stack}>
      <Section
        title="Who you are"
        actions={
          <Button icon="out" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        }
      >
        <Facts
          facts={[
            ["Name", person.name],
            ["Role", person.role],
            ["You may", MAY[person.role]],
            ["Program", `Agentwright ${version}`],
          ]}
        />
      </Section>
      <Section title={hasPassword ? "Change your password" : "Choose a password"}>
        <PasswordForm name={person.name} hasPassword={hasPassword} />
      </Section>
      <Section title="Appearance">
        <Appearance />
      </Section>
    </div>
  );
}

function PasswordForm({ name, hasPassword }: { name: string; hasPassword: boolean }) {
  const change = useChangePassword();
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ password, old: hasPassword ? old : undefined }, { onSuccess: () => (toast("Your password is changed."), setOld(""), setPassword("")) });
      }}
    >
      <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
      {hasPassword && (
        <Input label="The one you have" type="password" autoComplete="current-password" required value={old} onChange={(event) => setOld(event.target.value)} />
      )}
      <Input
        label="The new one"
        type="password"
        autoComplete="new-password"
        minLength={8}
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        hint="At least 8 characters; a few words are good."
        problem={change.error?.message}
      />
      <div>
        <Button type="submit" look="primary" busy={change.isPending}>
          {hasPassword ? "Change it" : "Keep it"}
        </Button>
      </div>
    </form>
  );
}

const LOOKS: Record<Theme, string> = { system: "As the system has it", light: "Light", dark: "Dark" };

function Appearance() {
  const { theme } = useTheme();
  return (
    <fieldset className={styles.choices}>
      <legend className="unseen">Appearance</legend>
      {THEMES.map((id) => (
        <label key={id}>
          <input type="radio" name="theme" checked={theme === id} onChange={() => choose(id)} />
          {LOOKS[id]}
        </label>
      ))}
    </fieldset>
  );
}
