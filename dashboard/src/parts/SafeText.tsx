import { Fragment } from "react";
import { pieces } from "../words/unseen";
import styles from "./SafeText.module.css";

/** Text that others wrote: always text, and what would change how the rest is read is shown as a mark. */
export function SafeText({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map((piece, at) =>
        "text" in piece ? (
          <Fragment key={at}>{piece.text}</Fragment>
        ) : (
          <span key={at} className={styles.mark} title={piece.says}>
            {piece.mark}
          </span>
        ),
      )}
    </>
  );
}
