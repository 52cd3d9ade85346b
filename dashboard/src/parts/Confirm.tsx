import type { ReactNode } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Failing } from "./Failing";

type Props = {
  title: string;
  /** What the button says: the verb of the question. */
  yes: string;
  danger?: boolean;
  busy?: boolean;
  error?: unknown;
  onYes: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** Asks once more before something that is not easily taken back. What destroys something needs more than `Enter`. */
export function Confirm({ title, yes, danger, busy, error, onYes, onClose, children }: Props) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose} data-first={danger || undefined}>
            Cancel
          </Button>
          <Button look={danger ? "danger" : "primary"} busy={busy} onClick={onYes} data-first={danger ? undefined : true}>
            {yes}
          </Button>
        </>
      }
    >
      {children}
      {error ? <Failing error={error} /> : null}
    </Dialog>
  );
}
