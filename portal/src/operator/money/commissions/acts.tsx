import { Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../../ui/confirm.tsx";
import { Money } from "../../../ui/money.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { type CommissionDetail, useMove, type VoidReason } from "./data.ts";

const MOVABLE = new Set(["pending", "approved", "held"]);

/** What the operator may do to a commission that no payout has claimed. */
export function Acts({ row }: { row: CommissionDetail }) {
  const [asks, setAsks] = useState<"hold" | "void" | null>(null);
  const move = useMove();
  if (!MOVABLE.has(row.status)) return null;
  const release = (from: Pick<CommissionDetail, "id" | "version">) =>
    move.mutateAsync({ row: from, act: { to: "release" } }).then(
      ({ status }) => toast(`The commission is ${status}`),
      (error: Error) => toastError("Not released", error),
    );
  return (
    <>
      <Button variant="danger" onClick={() => setAsks("void")}>
        Void…
      </Button>
      {row.status === "held" ? (
        <Button loading={move.isPending} onClick={() => void release(row)}>
          Release
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsks("hold")}>
          Hold…
        </Button>
      )}
      <Hold row={row} opened={asks === "hold"} close={() => setAsks(null)} undo={(held) => void release(held)} />
      <Void row={row} opened={asks === "void"} close={() => setAsks(null)} />
    </>
  );
}

type Props = { row: CommissionDetail; opened: boolean; close(): void };

/** What the commission and the rows that changed it come to. */
function Left({ row }: { row: CommissionDetail }) {
  const cents = [row, ...row.related].reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return (
    <b>
      <Money cents={cents} currency={row.currency} />
    </b>
  );
}

function Hold({ row, opened, close, undo }: Props & { undo(held: CommissionDetail): void }) {
  const [reason, setReason] = useState("");
  const move = useMove();
  return (
    <Confirm
      opened={opened}
      close={close}
      title="Hold this commission?"
      action="Hold"
      onConfirm={async () => {
        const held = await move.mutateAsync({ row, act: { to: "hold", reason } });
        toast("The commission is held", () => undo(held));
      }}
    >
      <p>
        <Left row={row} /> stays out of payouts of {row.partner_company} until you release it. It stays owed, and a refund still
        reduces it. Overrides that came of the same sale are not held: hold them on their own.
      </p>
      <TextInput
        mt={16}
        label="Reason"
        description="The partner sees it"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
}

const VOID_REASONS: { value: VoidReason; label: string }[] = [
  { value: "order_cancelled", label: "Order cancelled" },
  { value: "duplicate", label: "Duplicate" },
  { value: "tracking_error", label: "Recorded by mistake" },
  { value: "terms_violation", label: "Against the terms" },
  { value: "fraud", label: "Fraud" },
  { value: "other", label: "Other" },
];

function Void({ row, opened, close }: Props) {
  const [reason, setReason] = useState<VoidReason>("order_cancelled");
  const move = useMove();
  return (
    <Confirm
      opened={opened}
      close={close}
      title="Void this commission?"
      action="Void"
      danger
      type="void"
      onConfirm={async () => {
        await move.mutateAsync({ row, act: { to: "void", reason_code: reason } });
        toast("The commission is void");
      }}
    >
      <p>
        <Left row={row} /> of {row.partner_company} is taken back by a row of its own, which the partner sees with the reason.{" "}
        {row.level === 0
          ? "The overrides that the partners above earned of it are taken back too."
          : "The commission of the seller and other overrides stay."}{" "}
        Nothing can undo it.
      </p>
      <Select
        mt={16}
        label="Reason"
        description="The partner sees it"
        allowDeselect={false}
        data={VOID_REASONS}
        value={reason}
        onChange={(value) => setReason((value ?? "other") as VoidReason)}
      />
    </Confirm>
  );
}
