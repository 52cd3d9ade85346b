import { SafeText } from "./SafeText";

/** A sentence in which names stand between backticks. */
export function Ticked({ text }: { text: string }) {
  const pieces = text.split("`");
  // An odd one out is a backtick that somebody wrote.
  if (pieces.length % 2 === 0) return <SafeText text={text} />;
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <code key={at}><SafeText text={piece} /></code> : <SafeText key={at} text={piece} />))}</>;
}
