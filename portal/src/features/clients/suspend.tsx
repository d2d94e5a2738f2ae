import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { money, sums } from "../../ui/money.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Client, useBulkClients, useClientStatus } from "./data.ts";

type Props = { clients: readonly Client[]; opened: boolean; close(): void; done?(): void };

/** What suspending means, with the money that is at risk, before it happens. It can be undone. */
export function SuspendClients({ clients, opened, close, done }: Props) {
  const [reason, setReason] = useState("");
  const status = useClientStatus();
  const bulk = useBulkClients();
  const [first] = clients;
  const name = clients.length === 1 && first ? first.company : `${clients.length} clients`;
  const risk = sums(clients.map(({ mrr_cents, currency }) => ({ amount_cents: mrr_cents, currency })));
  const suspend = async () => {
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    if (clients.length === 1 && first) {
      const suspended = await status.mutateAsync({ client: first, to: "suspend", ...why });
      toast(`${first.company} is suspended`, () => void reactivate(suspended));
    } else {
      const client_ids = clients.map(({ id }) => id);
      const { data, succeeded, failed } = await bulk.mutateAsync({ action: "suspend", client_ids, ...why });
      const changed = data.filter((result) => result.status === "ok").map(({ client_id }) => client_id);
      toast(`${succeeded} suspended${failed > 0 ? `, ${failed} could not be` : ""}`, () => void reactivateAll(changed));
    }
    done?.();
  };
  const reactivate = (client: Client) =>
    status.mutateAsync({ client, to: "reactivate" }).catch((error: Error) => toastError("Not reactivated", error));
  const reactivateAll = (client_ids: string[]) =>
    bulk.mutateAsync({ action: "reactivate", client_ids }).catch((error: Error) => toastError("Not reactivated", error));
  return (
    <Confirm opened={opened} close={close} title={`Suspend ${name}?`} action="Suspend" danger onConfirm={suspend}>
      <p>
        Their keys and people lose write access at once; their data stays.{" "}
        <b>{risk.map(({ amount_cents, currency }) => money(amount_cents, currency)).join(" and ")}</b> of monthly revenue is at
        risk while it lasts.
      </p>
      <TextInput
        mt={16}
        label="Reason"
        description="Shown to your team, and part of the event"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
}
