import { useState } from "react";
import { useRollbackItem, useSwitchItem, type Item, type Shelf } from "../../api/library";
import { useOnly } from "../../api/may";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { toast, toastProblem } from "../../parts/Toast";
import styles from "./Agents.module.css";

/** Whether it is offered, and at which version it is used. */
export function Offer({ shelf, item }: { shelf: Shelf; item: Item }) {
  const turn = useSwitchItem(shelf, item.name);
  const rollback = useRollbackItem(shelf, item.name);
  const only = useOnly("editor");
  const [asked, setAsked] = useState(false);
  return (
    <div className={styles.acts}>
      <Button
        look={item.active ? "danger" : "primary"}
        busy={turn.isPending}
        onClick={() => turn.mutate(!item.active, { onSuccess: () => toast(item.active ? "It is offered no longer." : "It is offered again."), onError: toastProblem })}
        {...only}
      >
        {item.active ? "Offer it no longer" : "Offer it again"}
      </Button>
      {!item.current && (
        <Button onClick={() => setAsked(true)} {...only}>
          Use version {item.version}
        </Button>
      )}
      {shelf === "skills" && (
        <a href={`/v1/skills/${item.name}/export`} download={`${item.name}.md`}>
          Download as SKILL.md
        </a>
      )}
      {asked && (
        <Confirm
          title={`Use version ${item.version} from now on?`}
          yes="Use it"
          busy={rollback.isPending}
          onClose={() => setAsked(false)}
          onYes={() => rollback.mutate(item.version, { onSuccess: () => (toast(`Version ${item.version} is used from now on.`), setAsked(false)), onError: toastProblem })}
        >
          Runs that begin from now on use version {item.version} of <code>{item.name}</code>. No version is deleted.
        </Confirm>
      )}
    </div>
  );
}
