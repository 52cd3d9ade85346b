import { Id, placeOf } from "./Id";
import { SafeText } from "./SafeText";

/** A sentence in which names stand between backticks. Those that are ids lead to what they name. */
export function Ticked({ text }: { text: string }) {
  const pieces = text.split("`");
  // An odd one out is a backtick that somebody wrote.
  if (pieces.length % 2 === 0) return <SafeText text={text} />;
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <Name key={at} name={piece} /> : <SafeText key={at} text={piece} />))}</>;
}

function Name({ name }: { name: string }) {
  if (placeOf(name)) return <Id id={name} />;
  return (
    <code>
      <SafeText text={name} />
    </code>
  );
}
