import { Button } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../../ui/confirm.tsx";
import { amountsText, gains } from "../../../ui/money.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Method, useRemoveMethod, useUpcoming } from "./data.ts";

/** Removal, with what it stops. It cannot be undone: nobody can read the account number to set it again. */
export function RemoveMethod({ method }: { method: Method }) {
  const [opened, setOpened] = useState(false);
  const remove = useRemoveMethod();
  const { data: upcoming = [] } = useUpcoming(opened);
  const stopped = gains(
    upcoming
      .filter(({ currency }) => method.currencies.includes(currency))
      .map(({ payable_cents, currency }) => ({ amount_cents: payable_cents, currency })),
  );
  return (
    <>
      <Button variant="danger" onClick={() => setOpened(true)}>
        Remove…
      </Button>
      <Confirm
        opened={opened}
        close={() => setOpened(false)}
        title="Remove the payout method?"
        action="Remove"
        danger
        onConfirm={async () => {
          await remove.mutateAsync();
          toast("The payout method is removed");
        }}
      >
        <p>
          Nothing is paid until another one is set
          {stopped.length > 0 && (
            <>
              : <b>{amountsText(stopped)}</b> of the next payout would stay behind
            </>
          )}
          . Payouts that are scheduled already keep the account that they have. Every owner is told by email.
        </p>
      </Confirm>
    </>
  );
}

/** What holds of every method. */
export function MethodRules() {
  return (
    <Section title="How it is kept">
      <Facts
        rows={[
          ["Hidden", "Encrypted at rest. Only the files for the bank contain the account."],
          ["Changed by", "An owner, who confirms the password"],
          ["Told", "Every owner gets an email about each change, where the service sends email"],
          ["Applies to", "Payouts scheduled from then on, and retries of failed ones"],
        ]}
      />
    </Section>
  );
}
