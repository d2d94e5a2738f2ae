import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { toast } from "../../ui/toast.tsx";
import { ago, When } from "../../ui/when.tsx";
import { useLastEntryOf } from "../audit-log/data.ts";
import { type Key, type KeyWithSecret, useKey, useRevokeKey, useRotateKey } from "./data.ts";

type Props = { shown: Key; opened: boolean; close(): void };

/** When the key was used, and what it last did: who would notice. */
function LastUse({ shown, enabled }: { shown: Key; enabled: boolean }) {
  const may = useMay();
  const last = useLastEntryOf(shown.id, enabled && may("audit:read")).data;
  // The list may be older than the last call.
  const last_used_at = useKey(shown.id, enabled).data?.last_used_at ?? shown.last_used_at;
  return (
    <p>
      {last_used_at === null ? (
        "No use of it is recorded."
      ) : (
        <>
          It was last used <b>{ago(last_used_at) === "now" ? "just now" : `${ago(last_used_at)} ago`}</b>.
        </>
      )}{" "}
      {last && (
        <>
          The last thing it did: <code>{last.action}</code>
          {last.ip !== null && <> from {last.ip}</>}, <When at={last.occurred_at} as="day" />.
        </>
      )}
    </p>
  );
}

export function RevokeKey({ shown, opened, close }: Props) {
  const revoke = useRevokeKey();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Revoke ${shown.name}?`}
      action="Revoke"
      danger
      type={shown.name}
      onConfirm={async () => {
        await revoke.mutateAsync(shown);
        toast(`${shown.name} is revoked`);
      }}
    >
      <p>
        Whatever uses <b className="mono">trb_…{shown.hint}</b> is refused at once, with 401. A revoked key cannot come back.
      </p>
      <LastUse shown={shown} enabled={opened} />
    </Confirm>
  );
}

export function RotateKey({ shown, opened, close, rotated }: Props & { rotated(key: KeyWithSecret): void }) {
  const rotate = useRotateKey();
  const [hours, setHours] = useState<number | string>(24);
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Rotate ${shown.name}?`}
      action="Rotate"
      onConfirm={async () => rotated(await rotate.mutateAsync({ key: shown, overlap_hours: Number(hours || 0) }))}
    >
      <p>
        You get a new secret.{" "}
        {Number(hours) > 0 ? (
          <>
            The present one, <b className="mono">…{shown.hint}</b>, works for {hours} more hours: time to put the new one in its
            place.
          </>
        ) : (
          <>
            The present one, <b className="mono">…{shown.hint}</b>, is refused <b>at once</b>.
          </>
        )}
      </p>
      <LastUse shown={shown} enabled={opened} />
      <NumberInput mt={16} label="Overlap in hours" min={0} max={72} clampBehavior="strict" value={hours} onChange={setHours} />
    </Confirm>
  );
}
