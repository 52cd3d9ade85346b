import { useState } from "react";
import { useOnly } from "../../api/may";
import { useCorrect, useRoles } from "../../api/routes";
import { useRuns } from "../../api/runs";
import { Button } from "../../parts/Button";
import { Select } from "../../parts/Field";
import { Section } from "../../parts/Section";
import { toast } from "../../parts/Toast";
import { useAddress } from "../../words/address";
import styles from "./Routes.module.css";

/** Says where a request should have gone: one of the last runs, or the one in the address. */
export function Correct() {
  const [run, setRun] = useState(useAddress().get("run") ?? "");
  const [role, setRole] = useState("plan");
  const runs = useRuns({ limit: 30 }).data?.runs ?? [];
  const roles = useRoles().data?.roles ?? [];
  const correct = useCorrect();
  const only = useOnly("editor");
  const chosen = runs.some((one) => one.run === run) ? [] : run ? [{ value: run, label: run }] : [];
  return (
    <Section title="Correct a route" boxed>
      <form
        className={styles.correct}
        onSubmit={(event) => {
          event.preventDefault();
          correct.mutate({ run, role }, { onSuccess: () => (toast("Noted. The same words go there from now on."), setRun("")) });
        }}
      >
        <Select
          label="The run"
          value={run}
          required
          onChange={(event) => setRun(event.target.value)}
          options={[{ value: "", label: "Choose a recent run" }, ...chosen, ...runs.map((one) => ({ value: one.run, label: one.text.slice(0, 80) }))]}
        />
        <Select
          label="Where it should have gone"
          value={role}
          onChange={(event) => setRole(event.target.value)}
          options={[{ value: "plan", label: "plan: it is planned" }, ...roles.map(({ name }) => ({ value: name, label: name }))]}
        />
        <Button type="submit" look="primary" busy={correct.isPending} {...only} disabled={only.disabled ?? run === ""}>
          Correct
        </Button>
      </form>
      {correct.error && (
        <p className={styles.problem} role="alert">
          {correct.error.message}
        </p>
      )}
    </Section>
  );
}
