import { Link } from "wouter";
import { usePatterns, type Pattern } from "../../api/learning";
import { useListKeys } from "../../keys/listKeys";
import { Asked } from "../../parts/Asked";
import { Empty } from "../../parts/Empty";
import { Facts } from "../../parts/Facts";
import { Failing } from "../../parts/Failing";
import { Id } from "../../parts/Id";
import { Interval } from "../../parts/Interval";
import { Section } from "../../parts/Section";
import { Split } from "../../parts/Split";
import { Table, type Column } from "../../parts/Table";
import { Ticked } from "../../parts/Ticked";
import { share } from "../../words/format";
import { PatternEvidence } from "./PatternEvidence";
import { between, points, support } from "./learnt";
import styles from "./Learning.module.css";

const COLUMNS: Column<Pattern>[] = [
  { id: "words", head: "What is so", cell: (one) => <Link href={`/learning/patterns/${one.id}`}><Ticked text={one.advice || one.words} /></Link> },
  { id: "effect", head: "Difference", number: true, cell: (one) => points(one.evidence.effect) },
  {
    id: "interval",
    head: "Probably",
    wide: true,
    width: "160px",
    cell: (one) => <Interval low={one.evidence.interval[0]} estimate={one.evidence.effect} high={one.evidence.interval[1]} label={between(...one.evidence.interval)} />,
  },
  { id: "support", head: "Traces", number: true, wide: true, cell: (one) => support(one.evidence).with },
  { id: "confidence", head: "Confidence", number: true, wide: true, cell: (one) => share(one.evidence.confidence) },
  { id: "agent", head: "Agent", wide: true, cell: (one) => [one.agent ?? "all", one.problem].filter(Boolean).join(", ") },
];

/** What separates success from failure by more than chance, strongest first. */
export function Patterns({ selected }: { selected?: string }) {
  const patterns = usePatterns();
  const all = patterns.data?.patterns ?? [];
  useListKeys("Patterns", all.map((one) => `/learning/patterns/${one.id}`), all.findIndex((one) => one.id === selected));
  return (
    <Asked query={patterns} nothing={(found) => found.patterns.length === 0 && !selected} empty={<Empty title="No patterns yet.">A pattern is something that goes with success or failure by more than chance.</Empty>}>
      {(found) => {
        const pattern = found.patterns.find((one) => one.id === selected);
        const columns = selected ? COLUMNS.slice(0, 2) : COLUMNS;
        return (
          <Split
            back="All patterns"
            backTo="/learning/patterns"
            list={<Table label="Patterns" columns={columns} rows={found.patterns} id={(one) => one.id} to={(one) => `/learning/patterns/${one.id}`} selected={selected} />}
          >
            {selected && (pattern ? <PatternPage pattern={pattern} /> : <Failing error={new Error("This pattern is not seen any more.")} />)}
          </Split>
        );
      }}
    </Asked>
  );
}

function PatternPage({ pattern }: { pattern: Pattern }) {
  return (
    <article className={styles.stack}>
      <h2 className={styles.title}>
        <Ticked text={pattern.advice || pattern.words} />
      </h2>
      {pattern.advice && (
        <p>
          <Ticked text={pattern.words} />
        </p>
      )}
      <Facts
        across
        facts={[
          ["Pattern", <Id key="id" id={pattern.id} copy />],
          ["Kind", String(pattern.mark.mark)],
          ["Agent", pattern.agent ?? "all"],
          ["Problem", pattern.problem ?? "all"],
        ]}
      />
      {!pattern.advice && <p className="quiet">Nothing follows from it that an agent could do.</p>}
      <Section title="What it rests on">
        <PatternEvidence pattern={pattern} />
      </Section>
    </article>
  );
}
