import { Button } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { useGo } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Act, type PayoutDetail, useMovePayout } from "./data.ts";
import { Mark } from "./mark.tsx";

type Asks = "paid" | "failed" | Act;

/** What the state of a payout allows. */
export function Acts({ payout }: { payout: PayoutDetail }) {
  const [asks, setAsks] = useState<Asks | null>(null);
  const go = useGo();
  const close = () => setAsks(null);
  const button = (what: Asks, name: string, variant: "filled" | "default" | "danger" = "default") => (
    <Button key={what} variant={variant} onClick={() => setAsks(what)}>
      {name}
    </Button>
  );
  const { status } = payout;
  const open = status === "scheduled" || status === "processing";
  const acts = [
    ...(status === "scheduled" || status === "failed" ? [button("cancel", "Cancel…", "danger")] : []),
    ...(open ? [button("failed", "Mark failed…"), button("paid", "Mark paid…", "filled")] : []),
    ...(status === "failed" ? [button("retry", "Try again…", "filled")] : []),
    ...(status === "paid"
      ? [
          <Button key="returned" variant="default" onClick={() => go(`/partners/${payout.partner_id}?adjust=returned`)}>
            The bank returned it…
          </Button>,
        ]
      : []),
  ];
  return (
    <>
      {acts}
      {(asks === "paid" || asks === "failed") && <Mark payouts={[payout]} as={asks} close={close} />}
      <Retry payout={payout} opened={asks === "retry"} close={close} />
      <Cancel payout={payout} opened={asks === "cancel"} close={close} />
    </>
  );
}

type Props = { payout: PayoutDetail; opened: boolean; close(): void };

function Retry({ payout, opened, close }: Props) {
  const move = useMovePayout();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Pay ${payout.partner_company} again?`}
      action="Try again"
      onConfirm={async () => {
        const { method_hint } = await move.mutateAsync({ payout, act: "retry" });
        toast(`The payout is scheduled again: ${method_hint}`);
      }}
    >
      <p>
        <b>{money(payout.net_cents, payout.currency)}</b> is scheduled again, as attempt {payout.attempt + 1}, with the payout
        method that the partner has now. The partner is told. It goes into the next file that you make of its run.
      </p>
    </Confirm>
  );
}

function Cancel({ payout, opened, close }: Props) {
  const move = useMovePayout();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Cancel the payout of ${payout.partner_company}?`}
      action="Cancel the payout"
      danger
      onConfirm={async () => {
        await move.mutateAsync({ payout, act: "cancel" });
        toast("The payout is cancelled");
      }}
    >
      <p>
        <b>{money(payout.net_cents, payout.currency)}</b> is not paid now. Its commissions are approved again and in the next run;
        its statement keeps the number {payout.statement_number}. Nothing can undo it.
      </p>
    </Confirm>
  );
}
