import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { isAgent, type Step } from "../../ledger/plan";
import type { StepState } from "../../ledger/state";
import { Icon } from "../../parts/Icon";
import { SafeText } from "../../parts/SafeText";
import { StatusMark } from "../../parts/Status";
import { duration } from "../../words/format";
import styles from "./PlanNode.module.css";

export type PlanNodeData = { step: Step; now?: StepState; /** One agent has the whole plan. */ left?: boolean };

export function PlanNode({ data: { step, now, left }, selected }: NodeProps<Node<PlanNodeData>>) {
  const status = now?.status ?? "pending";
  const last = now?.attempts.at(-1);
  const took = last?.from && last.to ? Date.parse(last.to) - Date.parse(last.from) : undefined;
  return (
    <div className={styles.node} data-status={left ? "left" : status} data-selected={selected || undefined}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <div className={styles.head}>
        {!left && <StatusMark status={status} />}
        <strong>{step.id}</strong>
        {(now?.attempts.length ?? 0) > 1 && <span className={styles.again}>×{now?.attempts.length}</span>}
        {took !== undefined && <span className={styles.took}>{duration(took)}</span>}
      </div>
      {step.goal && (
        <p className={styles.goal}>
          <SafeText text={step.goal} />
        </p>
      )}
      <p className={styles.how}>
        <Icon name={isAgent(step) ? "agents" : "tools"} size={12} />
        <span>{step.tool ?? step.agent ?? "an agent"}</span>
        {step.when && <span className={styles.when}>if</span>}
      </p>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}
