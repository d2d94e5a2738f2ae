import { ActionIcon, Menu } from "@mantine/core";
import { Ban, Banknote, BellRing, CircleCheck, Ellipsis, Pause, Pencil, Play, Send } from "lucide-react";
import { useState } from "react";
import { Confirm } from "../../../ui/confirm.tsx";
import { money } from "../../../ui/money.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import { type LinkAction, type PaymentLink, useMoveLink } from "./data.ts";
import { customerOf, isOpen } from "./words.tsx";

const DONE: Record<LinkAction, string> = {
  cancel: "is cancelled",
  close: "is closed",
  disable: "takes no payments now",
  enable: "takes payments again",
};

/** Whether something can be changed: nothing is paid, and nobody is paying. */
export const isChangeable = ({ status, paid_cents, reserved_cents }: PaymentLink) =>
  paid_cents === 0 && reserved_cents === 0 && status !== "cancelled" && status !== "closed";

/** Whether money that came another way can be recorded. */
export const isRecordable = (link: PaymentLink) => (isOpen(link) || link.status === "expired") && link.amount_due_cents > 0;

function useMove(link: PaymentLink) {
  const move = useMoveLink();
  const name = `The link for ${customerOf(link)}`;
  return async (action: LinkAction) => {
    const moved = await move.mutateAsync({ link, action });
    const back = action === "disable" ? "enable" : action === "enable" ? "disable" : null;
    const undo =
      back &&
      (() => void move.mutateAsync({ link: moved, action: back }).catch((error: Error) => toastError("Not undone", error)));
    toast(`${name} ${DONE[action]}`, undo ?? undefined);
  };
}

/** What can be done with a link besides sending it. */
export function LinkMenu({ link, size = 32, quiet = false }: { link: PaymentLink; size?: number; quiet?: boolean }) {
  const [asks, setAsks] = useState<"cancel" | "close" | null>(null);
  const [, setUrl] = useUrl();
  const move = useMove(link);
  const { status, paid_cents } = link;
  const go = (action: LinkAction) => void move(action).catch((error: Error) => toastError("Not done", error));
  const held = isOpen(link) || status === "disabled";
  if (!held && !isChangeable(link) && !isRecordable(link)) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={size} variant={quiet ? "subtle" : "default"} aria-label="More actions">
            <Ellipsis size={quiet ? 20 : 16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isChangeable(link) && (
            <Menu.Item leftSection={<Pencil />} onClick={() => setUrl({ do: "change" }, true)}>
              Change…
            </Menu.Item>
          )}
          {isOpen(link) && (
            <Menu.Item leftSection={<Send />} onClick={() => setUrl({ do: "send" }, true)}>
              {link.deliveries.length > 0 ? "Send again…" : "Send…"}
            </Menu.Item>
          )}
          {isOpen(link) && link.deliveries.length > 0 && (
            <Menu.Item leftSection={<BellRing />} onClick={() => setUrl({ do: "remind" }, true)}>
              Remind…
            </Menu.Item>
          )}
          {isRecordable(link) && (
            <Menu.Item leftSection={<Banknote />} onClick={() => setUrl({ do: "record" }, true)}>
              Record a payment…
            </Menu.Item>
          )}
          {isOpen(link) && (
            <Menu.Item leftSection={<Pause />} onClick={() => go("disable")}>
              Disable
            </Menu.Item>
          )}
          {status === "disabled" && (
            <Menu.Item leftSection={<Play />} onClick={() => go("enable")}>
              Enable
            </Menu.Item>
          )}
          {held && paid_cents > 0 && (
            <Menu.Item leftSection={<CircleCheck />} onClick={() => setAsks("close")}>
              Close…
            </Menu.Item>
          )}
          {held && paid_cents === 0 && (
            <Menu.Item leftSection={<Ban />} onClick={() => setAsks("cancel")}>
              Cancel…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EndLink link={link} action={asks} close={() => setAsks(null)} />
    </>
  );
}

/** Ends a link for good. */
function EndLink({ link, action, close }: { link: PaymentLink; action: "cancel" | "close" | null; close(): void }) {
  const move = useMove(link);
  const { currency, amount_due_cents, paid_cents } = link;
  return (
    <Confirm
      opened={action !== null}
      close={close}
      title={`${action === "close" ? "Close" : "Cancel"} the link for ${customerOf(link)}?`}
      action={action === "close" ? "Close link" : "Cancel link"}
      danger
      onConfirm={() => move(action ?? "cancel")}
    >
      {action === "close" ? (
        <p>
          <b>{money(paid_cents, currency)}</b> stays paid. You give up the rest, <b>{money(amount_due_cents, currency)}</b>, and
          the link does not open again.
        </p>
      ) : (
        <p>
          Its page takes no payments any more, and it does not open again. Whoever is just paying can complete it: that money
          counts, as late.
        </p>
      )}
    </Confirm>
  );
}
