import { useState } from "react";
import { useOnly } from "../../api/may";
import { useRevokeSource } from "../../api/traces";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { toast } from "../../parts/Toast";
import { plural } from "../../words/format";

/** Ends that anything is learnt from where a trace came from. */
export function RevokeSource({ source }: { source: string }) {
  const revoke = useRevokeSource();
  const only = useOnly("editor");
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)} {...only}>
        Learn nothing more from this source
      </Button>
      {asked && (
        <Confirm
          title={`Revoke ${source}?`}
          yes="Revoke"
          danger
          busy={revoke.isPending}
          error={revoke.error}
          onClose={() => setAsked(false)}
          onYes={() => revoke.mutate(source, { onSuccess: (revoked) => (toast(`${plural(revoked.traces, "trace")} count no more.`), setAsked(false)) })}
        >
          Nothing it sent or will send is learnt from, and every lesson that rests on it in any part is withdrawn at once. That cannot be taken back.
        </Confirm>
      )}
    </>
  );
}
