import { SafeText } from "../../parts/SafeText";
import { Ticked } from "../../parts/Ticked";
import type { Parameter } from "./shelf";
import styles from "./Tools.module.css";

/** A schema as people read it: name, what it must be, what it is for. */
export function Parameters({ parameters, nothing }: { parameters: Parameter[]; nothing: string }) {
  if (parameters.length === 0) return <p className="quiet">{nothing}</p>;
  return (
    <dl className={styles.parameters}>
      {parameters.map((one) => (
        <div key={one.name}>
          <dt>
            <code>
              <SafeText text={one.name} />
            </code>
            {one.required && <span className={styles.required}>needed</span>}
          </dt>
          <dd>
            <p className={styles.type}>
              <SafeText text={[one.type, ...one.limits].join(", ")} />
            </p>
            {one.says && (
              <p>
                <Ticked text={one.says} />
              </p>
            )}
            {one.inner.length > 0 && <Parameters parameters={one.inner} nothing="" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
