import { useSession, useSignOut } from "../api/session";
import { Button } from "../parts/Button";
import styles from "./TopBar.module.css";
import { useTheme } from "./theme";

const ICONS = { system: "system", light: "sun", dark: "moon" } as const;

export function TopBar({ onKeys }: { onKeys: () => void }) {
  const session = useSession().data;
  const signOut = useSignOut();
  const { theme, turn } = useTheme();
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <img src="/icon.svg" alt="" width="20" height="20" />
        Agentwright
      </span>
      <span className={styles.space} />
      {session?.signed_in && (
        <span className={styles.person}>
          {session.person.name} <span className="quiet">{session.person.role}</span>
        </span>
      )}
      <Button look="quiet" icon={ICONS[theme]} aria-label={`Theme: ${theme}`} onClick={turn} />
      <Button look="quiet" icon="question" aria-label="Keys" onClick={onKeys} />
      <Button look="quiet" icon="out" aria-label="Sign out" onClick={() => signOut.mutate()} busy={signOut.isPending} />
    </header>
  );
}
