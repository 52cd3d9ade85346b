import { useEffect, useRef, useState } from "react";
import { Button } from "../../parts/Button";
import styles from "./Composer.module.css";

type Props = {
  onSend: (text: string) => void;
  busy: boolean;
  disabled: boolean;
  /** Within a conversation. */ again: boolean;
};

/** `Enter` sends, `Shift+Enter` begins a line. */
export function Composer({ onSend, busy, disabled, again }: Props) {
  const [text, setText] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  }, [text]);
  const send = () => {
    const words = text.trim();
    if (!words || busy || disabled) return;
    onSend(words);
    setText("");
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        data-search
        autoFocus
        rows={1}
        maxLength={32_000}
        aria-label="Your request"
        placeholder={disabled ? "You may look, but not ask." : again ? "Ask for something else" : "Ask for something"}
        disabled={disabled}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            send();
          }
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <Button
        look="primary"
        icon="send"
        type="submit"
        aria-label="Send"
        busy={busy}
        disabled={disabled || !text.trim()}
      />
    </form>
  );
}
