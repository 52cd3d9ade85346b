import { blocks, type Span } from "../words/prose";
import styles from "./Prose.module.css";
import { SafeText } from "./SafeText";

/** An answer. Formatted a little; links show where they lead; nothing is ever loaded. */
export function Prose({ text }: { text: string }) {
  return (
    <div className={styles.prose}>
      {blocks(text).map((block, at) => {
        switch (block.kind) {
          case "code":
            return (
              <pre key={at} className={styles.code}>
                <SafeText text={block.text} />
              </pre>
            );
          case "list": {
            const List = block.ordered ? "ol" : "ul";
            return (
              <List key={at}>
                {block.items.map((item, nth) => (
                  <li key={nth}>
                    <Spans spans={item} />
                  </li>
                ))}
              </List>
            );
          }
          case "heading":
            return (
              <p key={at} className={styles.heading}>
                <Spans spans={block.spans} />
              </p>
            );
          default:
            return (
              <p key={at} className={block.kind === "quote" ? styles.quote : undefined}>
                <Spans spans={block.spans} />
              </p>
            );
        }
      })}
    </div>
  );
}

function Spans({ spans }: { spans: Span[] }) {
  return spans.map((span, at) => {
    const text = <SafeText text={span.text} />;
    switch (span.kind) {
      case "bold":
        return <strong key={at}>{text}</strong>;
      case "italic":
        return <em key={at}>{text}</em>;
      case "code":
        return <code key={at}>{text}</code>;
      case "link":
        return (
          <span key={at}>
            {span.text !== span.url && <>{text} </>}
            <a href={span.url} rel="noreferrer noopener nofollow" target="_blank">
              <SafeText text={span.url} />
            </a>
          </span>
        );
      default:
        return <span key={at}>{text}</span>;
    }
  });
}
