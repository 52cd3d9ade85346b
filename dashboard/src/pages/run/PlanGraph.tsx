import { Background, Controls, MarkerType, ReactFlow, type Edge, type Node } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { useMemo } from "react";
import { layers } from "../../ledger/layers";
import type { Plan } from "../../ledger/plan";
import type { RunState, StepState } from "../../ledger/state";
import { PlanNode, type PlanNodeData } from "./PlanNode";
import styles from "./PlanGraph.module.css";

const WIDE = 264;
const TALL = 104;
const TYPES = { step: PlanNode };

type Props = { plan: Plan; state: RunState; selected?: string; onSelect: (step: string | undefined) => void };

/** The steps of a plan, left to right, with how each of them stands. */
export default function PlanGraph({ plan, state, selected, onSelect }: Props) {
  const layout = useMemo(() => layers(plan, WIDE, TALL), [plan]);
  const nodes = useMemo(
    (): Node<PlanNodeData>[] =>
      layout.nodes.flatMap(({ id, x, y }) => {
        const step = plan.steps.find((one) => one.id === id);
        if (!step) return [];
        const now: StepState | undefined = state.steps.get(id);
        return [
          {
            id,
            type: "step",
            position: { x, y },
            selected: id === selected,
            data: { step, now, left: state.leftToAgent && !now },
            ariaLabel: `${id}: ${now?.status ?? (state.leftToAgent ? "left to the agent" : "pending")}`,
          },
        ];
      }),
    [layout, plan, state, selected],
  );
  const edges = useMemo(
    (): Edge[] =>
      layout.edges.map(({ from, to }) => ({
        id: `${from}-${to}`,
        source: from,
        target: to,
        animated: state.steps.get(to)?.status === "running",
        markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "var(--line-strong)" },
        focusable: false,
      })),
    [layout, state],
  );
  const deep = Math.max(...layout.nodes.map((node) => node.y), 0) + TALL;
  return (
    <div className={styles.graph} style={{ height: Math.min(Math.max(deep + 64, 240), 560) }}>
      <ReactFlow
        key={plan.steps.map((step) => step.id).join("/")}
        nodes={nodes}
        edges={edges}
        nodeTypes={TYPES}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.08 }}
        minZoom={0.15}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable
        zoomOnScroll={false}
        preventScrolling={false}
        onNodeClick={(_, node) => onSelect(node.id)}
        onPaneClick={() => onSelect(undefined)}
        onSelectionChange={({ nodes: [node] }) => node && node.id !== selected && onSelect(node.id)}
        aria-label="Plan"
      >
        <Background gap={16} size={1} color="var(--line)" />
        <Controls showInteractive={false} position="bottom-right" />
      </ReactFlow>
    </div>
  );
}
