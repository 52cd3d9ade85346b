import { useKeyGroups } from "../keys/keys";
import { Dialog } from "../parts/Dialog";
import styles from "./KeysDialog.module.css";

/** Which keys do what on this page. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const groups = useKeyGroups();
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className={styles.groups}>
        {groups.toReversed().map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.bindings.map((binding) => (
                <div key={binding.keys} className={styles.binding}>
                  <dt>
                    {binding.keys.split(" ").map((key) => (
                      <kbd key={key}>{key === "Escape" ? "Esc" : key}</kbd>
                    ))}
                  </dt>
                  <dd>{binding.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
