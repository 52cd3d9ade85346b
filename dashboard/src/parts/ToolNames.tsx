import { Link } from "wouter";
import { SafeText } from "./SafeText";
import styles from "./ToolNames.module.css";

/** Names of tools, each a link to what it does. */
export function ToolNames({ names }: { names: string[] }) {
  if (names.length === 0) return <span className="quiet">none</span>;
  return (
    <ul className={styles.names} aria-label="Tools">
      {names.map((name) => (
        <li key={name}>
          <Link href={`/tools/${name}`} className={styles.name}>
            <SafeText text={name} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
