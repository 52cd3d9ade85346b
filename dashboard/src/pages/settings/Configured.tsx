import { useState } from "react";
import { useSettings, type Setting } from "../../api/settings";
import { Asked } from "../../parts/Asked";
import { Facts } from "../../parts/Facts";
import { Check } from "../../parts/Field";
import { SafeText } from "../../parts/SafeText";
import { Search } from "../../parts/Search";
import { Table, type Column } from "../../parts/Table";
import { When } from "../../parts/When";
import styles from "./Settings.module.css";
import { written } from "./words";

const COLUMNS: Column<Setting>[] = [
  { id: "key", head: "Setting", cell: (one) => <code className={styles.value}>{one.key}</code> },
  { id: "value", head: "Value", cell: (one) => <code className={styles.value}><SafeText text={written(one.value)} /></code> },
  { id: "origin", head: "From", wide: true, cell: (one) => (one.origin === "default" ? <span className="quiet">default</span> : <SafeText text={one.origin} />) },
];

/** Every value that is configured and where it comes from. Secrets are not among them. */
export function Configured() {
  const settings = useSettings();
  const [text, setText] = useState("");
  const [own, setOwn] = useState(false);
  const fits = (one: Setting) => (!own || one.origin !== "default") && `${one.key} ${written(one.value)} ${one.origin}`.toLowerCase().includes(text.toLowerCase());
  return (
    <Asked query={settings} lines={10}>
      {(found) => (
        <div className={styles.stack}>
          <Facts
            across
            facts={[
              ["Version", found.version],
              ["Database", found.database],
              ["Running since", <When key="since" at={found.since} />],
            ]}
          />
          <div className={styles.acts}>
            <Search label="Find a setting" value={text} onChange={setText} />
            <Check label="Only what is not the default" checked={own} onChange={(event) => setOwn(event.target.checked)} />
          </div>
          <Table label="Settings" columns={COLUMNS} rows={found.settings.filter(fits)} id={(one) => one.key} />
        </div>
      )}
    </Asked>
  );
}
