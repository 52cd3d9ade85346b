import { useId, useState } from "react";
import type { Finding, StepDraft } from "../../api/proposal";
import { Area, Input } from "../../parts/Field";
import styles from "./Approvals.module.css";
import { Findings } from "./Findings";
import { readObject, withField } from "./inbox";

type Props = { step: StepDraft; tools: string[]; findings: Finding[]; onChange: (step: StepDraft) => void };

/** One step as a form: what it is for, what it calls with which arguments, or what its agent is told and may reach. */
export function StepEditor({ step, tools, findings, onChange }: Props) {
  const known = useId();
  const [written, setWritten] = useState(() => JSON.stringify(step.arguments ?? {}, null, 2));
  const [reach, setReach] = useState(() => (step.tools ?? []).join(", "));
  const read = readObject(written);
  return (
    <fieldset className={styles.stepEditor}>
      <legend className="mono">{step.id}</legend>
      <Input label="Goal" value={step.goal ?? ""} onChange={(event) => onChange(withField(step, "goal", event.target.value))} />
      {step.tool !== undefined ? (
        <>
          <Input label="Tool" list={known} value={step.tool} onChange={(event) => onChange({ ...step, tool: event.target.value })} />
          <Area
            label="Arguments"
            mono
            rows={Math.min(written.split("\n").length, 12)}
            spellCheck={false}
            value={written}
            problem={"problem" in read ? read.problem : undefined}
            onChange={(event) => {
              setWritten(event.target.value);
              const now = readObject(event.target.value);
              if ("value" in now) onChange({ ...step, arguments: now.value });
            }}
          />
        </>
      ) : (
        <>
          <Area
            label="What its agent is told besides the goal"
            rows={Math.min((step.prompt ?? "").split("\n").length + 1, 12)}
            value={step.prompt ?? ""}
            onChange={(event) => onChange(withField(step, "prompt", event.target.value))}
          />
          <Input
            label="Tools it may use"
            hint="Names with commas between them."
            list={known}
            value={reach}
            onChange={(event) => {
              setReach(event.target.value);
              onChange(withField(step, "tools", event.target.value.split(",").map((name) => name.trim()).filter(Boolean)));
            }}
          />
        </>
      )}
      <datalist id={known}>
        {tools.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {findings.length > 0 && <Findings findings={findings} />}
    </fieldset>
  );
}
