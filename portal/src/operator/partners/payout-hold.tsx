import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { Blocker } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import classes from "../operator.module.css";
import type { Partner } from "./data.ts";
import { type Hold, usePayoutHold, useSetHold } from "./payouts.data.ts";

/** Whether runs leave the partner out, and why. */
export function PayoutHold({ partner }: { partner: Partner }) {
  const { data, error, refetch } = usePayoutHold(partner.id);
  return (
    <Section title="Hold on payouts">
      {error && !data && <Failure small title="The hold did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading rows={2} /> : <Shown partner={partner} hold={data} />}
    </Section>
  );
}

function Shown({ partner, hold }: { partner: Partner; hold: Hold }) {
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useState("");
  const set = useSetHold(partner.id);
  const release = (held: Hold) =>
    set.mutateAsync({ version: held.version, body: { held: false } }).then(
      () => toast(`Payouts of ${partner.company} are released`),
      (error: Error) => toastError("Not released", error),
    );
  if (hold.held)
    return (
      <Blocker
        title="Payouts are held"
        action={
          <Button variant="default" loading={set.isPending} onClick={() => void release(hold)}>
            Release
          </Button>
        }
      >
        {hold.reason}
      </Blocker>
    );
  return (
    <div className={classes.fields}>
      <p className="soft">None: runs pay what is approved and due.</p>
      <div>
        <Button variant="default" onClick={() => setAsks(true)}>
          Hold payouts…
        </Button>
      </div>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Hold the payouts of ${partner.company}?`}
        action="Hold"
        onConfirm={async () => {
          const held = await set.mutateAsync({ version: hold.version, body: { held: true, reason } });
          setReason("");
          toast(`Payouts of ${partner.company} are held`, () => void release(held));
        }}
      >
        <p>
          Runs leave the partner out until you release it. What it earns is kept and paid later; payouts that are scheduled
          already stay.
        </p>
        <TextInput
          mt={16}
          label="Reason"
          description="The partner sees it"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Confirm>
    </div>
  );
}
