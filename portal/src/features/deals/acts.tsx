import { ActionIcon, Button, Menu, TextInput } from "@mantine/core";
import { ArrowRight, Ellipsis } from "lucide-react";
import { useState } from "react";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Pipeline, Stage } from "../pipelines/data.ts";
import { type Deal, useDeleteDeal, useWithdrawDeal } from "./data.ts";
import { cardOf, type Moves, titleOf } from "./moves.tsx";

type Props = {
  deal: Deal;
  pipeline: Pipeline | undefined;
  moves: Moves;
  edit(): void;
  register(): void;
  gone(): void;
  phone?: boolean;
};

const HOLDS = ["approved", "submitted", "needs_info"];

/** A deal whose registration is closed stays where it is. */
export const isMovable = ({ registration }: Pick<Deal, "registration">) =>
  registration === null || !["withdrawn", "rejected"].includes(registration.status);

/** What one can do with a deal: the next stage is one click, the rest is in the menu. */
export function DealActs({ deal, pipeline, moves, edit, register, gone, phone = false }: Props) {
  const [asks, setAsks] = useState<"withdraw" | "delete" | null>(null);
  const may = useMay();
  const session = useSession();
  if (!may("deals:write")) return null;
  const stages = pipeline?.stages ?? [];
  const at = stages.find(({ id }) => id === deal.stage_id);
  const next = deal.status === "open" && at ? stages[stages.indexOf(at) + 1] : undefined;
  const move = (to: Stage) => at && moves.move(cardOf(deal), at, to);
  const withdraws = isPartnerWide(session) && deal.status === "open" && HOLDS.includes(deal.registration?.status ?? "");
  const registers =
    isPartnerWide(session) && deal.account_id === session.house_account_id && !deal.sale && deal.status === "open";
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label="More about this deal" size="var(--t-control)" variant={phone ? "subtle" : "default"}>
            <Ellipsis size={phone ? 20 : 16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={edit}>Edit</Menu.Item>
          {registers && <Menu.Item onClick={register}>Register…</Menu.Item>}
          {isMovable(deal) && (
            <>
              <Menu.Divider />
              <Menu.Label>Move to</Menu.Label>
              {stages
                .filter(({ id }) => id !== deal.stage_id)
                .map((stage) => (
                  <Menu.Item key={stage.id} onClick={() => move(stage)}>
                    {stage.name}
                  </Menu.Item>
                ))}
            </>
          )}
          <Menu.Divider />
          {withdraws && <Menu.Item onClick={() => setAsks("withdraw")}>Withdraw registration…</Menu.Item>}
          <Menu.Item color="red" disabled={deal.status === "won"} onClick={() => setAsks("delete")}>
            {deal.status === "won" ? "Won deals stay" : "Delete…"}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {!phone && next && isMovable(deal) && (
        <Button data-next rightSection={<ArrowRight />} onClick={() => move(next)}>
          {next.name}
        </Button>
      )}
      <Withdraw deal={deal} opened={asks === "withdraw"} close={() => setAsks(null)} />
      <Delete deal={deal} opened={asks === "delete"} close={() => setAsks(null)} gone={gone} />
    </>
  );
}

type AskProps = { deal: Deal; opened: boolean; close(): void };

function Withdraw({ deal, opened, close }: AskProps) {
  const [reason, setReason] = useState("");
  const withdraw = useWithdrawDeal();
  const name = titleOf(deal);
  const confirm = async () => {
    const { id, version } = deal;
    await withdraw.mutateAsync({ id, version, ...(reason.trim() ? { reason: reason.trim() } : {}) });
    toast(`The registration of ${name} is withdrawn`);
  };
  return (
    <Confirm opened={opened} close={close} title={`Withdraw ${name}?`} action="Withdraw" danger onConfirm={confirm}>
      <p>
        Every other partner can register <b>{name}</b> at once, the deal can no longer be moved, and it earns no commission.
        Nothing undoes it; you can register the company again while it is free.
      </p>
      <TextInput mt={16} label="Reason" value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} />
    </Confirm>
  );
}

function Delete({ deal, opened, close, gone }: AskProps & { gone(): void }) {
  const remove = useDeleteDeal();
  const confirm = async () => {
    await remove.mutateAsync({ id: deal.id, version: deal.version });
    toast(`${deal.name} is deleted`);
    gone();
  };
  const registered = HOLDS.includes(deal.registration?.status ?? "") && deal.status === "open";
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Delete ${deal.name}?`}
      action="Delete"
      danger
      type={deal.name}
      onConfirm={confirm}
    >
      <p>
        The deal leaves every list and board with its history and notes.{" "}
        {registered && (
          <>
            Its registration ends: other partners can register <b>{titleOf(deal)}</b> at once.{" "}
          </>
        )}
        Nothing undoes it.
      </p>
    </Confirm>
  );
}
