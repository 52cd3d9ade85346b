import { useItem, type Item, type Shelf } from "../../api/library";
import { Asked } from "../../parts/Asked";
import { Facts } from "../../parts/Facts";
import { Id } from "../../parts/Id";
import { Json } from "../../parts/Json";
import { SafeText } from "../../parts/SafeText";
import { Section } from "../../parts/Section";
import { Status } from "../../parts/Status";
import { ToolNames } from "../../parts/ToolNames";
import { When } from "../../parts/When";
import { useAddress } from "../../words/address";
import styles from "./Agents.module.css";
import { ItemUses } from "./ItemUses";
import { ItemVersions } from "./ItemVersions";
import { lineageWords, record } from "./kept";
import { Offer } from "./Offer";

/** Everything about one thing that is kept: what it is, where it comes from, its versions, and how its uses went. */
export function ItemPage({ shelf, name }: { shelf: Shelf; name: string }) {
  const version = Number(useAddress().get("version")) || undefined;
  const item = useItem(shelf, name, version);
  return (
    <Asked query={item} lines={8}>
      {(found) => (
        <article className={styles.stack}>
          <Head shelf={shelf} item={found} />
          <Body body={found.body ?? {}} />
          <ItemVersions shelf={shelf} name={name} shown={found.version} />
          <ItemUses shelf={shelf} name={name} />
        </article>
      )}
    </Asked>
  );
}

function Head({ shelf, item }: { shelf: Shelf; item: Item }) {
  const { run, from, by } = lineageWords(item);
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>{item.name}</h2>
      <p>
        <SafeText text={item.description} />
      </p>
      <Facts
        across
        facts={[
          ["Offered", <Status key="offered" status={item.active ? "active" : "inactive"} word={item.active ? "yes" : "no"} />],
          ["Version", `${item.version} of ${item.versions}${item.current ? ", in use" : ", not in use"}`],
          ["Uses", record(item.record)],
          ["Made by", run && <Id id={run} />],
          ["Made from", from && <SafeText text={from} />],
          ["Changed by", by],
          ["Kept", <When key="kept" at={item.created_at} />],
          ["Offered from", item.offered_from && <When at={item.offered_from} />],
        ]}
      />
      <Offer shelf={shelf} item={item} />
    </header>
  );
}

function Body({ body }: { body: Record<string, unknown> }) {
  const { kind: _, prompt, tools, ...rest } = body;
  return (
    <>
      {Array.isArray(tools) && (
        <Section title="Tools">
          <ToolNames names={tools as string[]} />
        </Section>
      )}
      {typeof prompt === "string" && (
        <Section title="What it is told">
          <pre className={styles.prompt}>
            <SafeText text={prompt} />
          </pre>
        </Section>
      )}
      {Object.keys(rest).length > 0 && (
        <Section title="What it is">
          <Json value={rest} open={2} />
        </Section>
      )}
    </>
  );
}
