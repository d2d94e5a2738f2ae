import { ActionIcon, Button, Menu, TextInput } from "@mantine/core";
import { Ellipsis, Pencil, Sparkles } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { useGo } from "../../../ui/link.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import type { Account } from "../records/data.ts";
import { type Lead, NEXT, type SettableStatus, useDeleteLead, useUnconvert, useUpdateLead } from "./data.ts";
import { leadName } from "./status.tsx";

type Props = { account: Account; lead: Lead; writes: boolean; phone: boolean };

export function LeadActions({ account, lead, writes, phone }: Props) {
  const [doing, setDoing] = useState<"disqualified" | "delete" | "erase" | null>(null);
  const [, setUrl] = useUrl();
  const may = useMay();
  const move = useMove(lead);
  const converts = writes && may("contacts:write") && lead.converted === null && lead.status !== "disqualified";
  const close = () => setDoing(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={phone ? 44 : 32} aria-label="More actions">
            <Ellipsis size={phone ? 20 : 16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {writes &&
            NEXT[lead.status].map((status) => (
              <Menu.Item key={status} onClick={() => (status === "disqualified" ? setDoing(status) : void move(status))}>
                {status === "disqualified" ? "Disqualify…" : `Mark as ${status}`}
              </Menu.Item>
            ))}
          {phone && writes && <Menu.Item onClick={() => setUrl({ edit: "yes" }, true)}>Edit</Menu.Item>}
          {phone && converts && <Menu.Item onClick={() => setUrl({ convert: "yes" }, true)}>Convert…</Menu.Item>}
          <Menu.Divider />
          {writes && <Menu.Item onClick={() => setDoing("delete")}>Delete…</Menu.Item>}
          <Menu.Item onClick={() => setDoing("erase")}>Erase…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {!phone && writes && (
        <Button variant="default" leftSection={<Pencil />} onClick={() => setUrl({ edit: "yes" }, true)}>
          Edit
        </Button>
      )}
      {!phone && converts && (
        <Button leftSection={<Sparkles />} onClick={() => setUrl({ convert: "yes" }, true)}>
          Convert…
        </Button>
      )}
      <Disqualify lead={lead} opened={doing === "disqualified"} close={close} move={move} />
      <RemoveLead
        account={account}
        lead={lead}
        erase={doing === "erase"}
        opened={doing === "delete" || doing === "erase"}
        close={close}
      />
    </>
  );
}

/** Changes the status, and offers to change it back where that is a way. */
function useMove(lead: Lead) {
  const update = useUpdateLead();
  return async (status: SettableStatus, reason?: string) => {
    try {
      const saved = await update.mutateAsync({ lead, body: { status, ...(reason ? { reason } : {}) } });
      const back = NEXT[saved.status].find((one) => one === lead.status);
      toast(
        `${leadName(lead)} is ${status}`,
        back && (() => void update.mutateAsync({ lead: saved, body: { status: back } }).catch(failed)),
      );
    } catch (error) {
      failed(error as Error);
    }
  };
}

const failed = (error: Error) => toastError("The state did not change", error);

type DisqualifyProps = {
  lead: Lead;
  opened: boolean;
  close(): void;
  move(status: SettableStatus, reason?: string): Promise<void>;
};

function Disqualify({ lead, opened, close, move }: DisqualifyProps) {
  const [reason, setReason] = useState("");
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Disqualify ${leadName(lead)}?`}
      action="Disqualify"
      onConfirm={() => move("disqualified", reason.trim())}
    >
      <p>The lead leaves the open ones. It can be taken up again at any time.</p>
      <TextInput
        mt={16}
        label="Reason"
        placeholder="No budget this year"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
}

type RemoveProps = { account: Account; lead: Lead; erase: boolean; opened: boolean; close(): void };

function RemoveLead({ account, lead, erase, opened, close }: RemoveProps) {
  const remove = useDeleteLead();
  const go = useGo();
  const name = leadName(lead);
  const act = async () => {
    await remove.mutateAsync({ lead, erase });
    toast(`${name} is ${erase ? "erased" : "deleted"}`);
    go(`/crm/${account.id}/leads`, { replace: true });
  };
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`${erase ? "Erase" : "Delete"} ${name}?`}
      action={erase ? "Erase" : "Delete"}
      danger
      {...(erase ? { type: name } : {})}
      onConfirm={act}
    >
      {erase ? (
        <p>
          Only its kind of source, state, score and times stay; name, phone, address and notes are removed for good. A contact
          that came from it is erased separately. <b>Nothing can undo it.</b>
        </p>
      ) : (
        <p>
          The lead leaves every list at once, and after 30 days it is erased. <b>It cannot be brought back.</b>
        </p>
      )}
    </Confirm>
  );
}

/** Undoes a conversion, as long as it can be. */
export function TakeBack({ lead }: { lead: Lead }) {
  const [opened, setOpened] = useState(false);
  const unconvert = useUnconvert();
  const act = async () => {
    await unconvert.mutateAsync(lead.id);
    toast(`${leadName(lead)} is a lead again`);
  };
  const DAY_MS = 86_400_000;
  if (lead.converted === null || Date.now() - new Date(lead.converted.at).getTime() > DAY_MS) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Take it back…
      </Button>
      <Confirm
        opened={opened}
        close={() => setOpened(false)}
        title="Take the conversion back?"
        action="Take it back"
        onConfirm={act}
      >
        <p>
          The lead gets its earlier state. A contact that was created for it, and its deal, are deleted; a contact that was there
          before gets its earlier values back. It works for 24 hours, as long as nobody changed them.
        </p>
      </Confirm>
    </>
  );
}
