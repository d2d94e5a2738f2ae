import { ActionIcon, Menu } from "@mantine/core";
import { Archive, Ellipsis, Pause, Pencil, Play } from "lucide-react";
import { useState } from "react";
import { Confirm } from "../../../ui/confirm.tsx";
import { useGo } from "../../../ui/link.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { type AffiliateLink, useArchiveLink, useUpdateLink } from "./data.ts";
import { hostOf } from "./words.tsx";

type Status = "active" | "paused";

/** Sets the status of a link, and offers the one before. */
function useSetStatus() {
  const update = useUpdateLink();
  const words = { active: "counts clicks again", paused: "is paused" };
  return async (link: AffiliateLink, status: Status) => {
    const saved = await update.mutateAsync({ link, body: { status } });
    const { status: before } = link;
    const back = (to: Status) => () => {
      update.mutateAsync({ link: saved, body: { status: to } }).catch((error: Error) => toastError("Not undone", error));
    };
    toast(`${link.code} ${words[status]}`, before === "active" || before === "paused" ? back(before) : undefined);
  };
}

function useResume(link: AffiliateLink) {
  const setStatus = useSetStatus();
  return () => void setStatus(link, "active").catch((error: Error) => toastError(`${link.code} was not resumed`, error));
}

type Props = { link: AffiliateLink; size?: number; quiet?: boolean };

/** What can be done with a link besides sharing it. In a row of a table, what is clicked here does not open the row. */
export function LinkMenu({ link, size = 32, quiet = false }: Props) {
  const [asks, setAsks] = useState<"pause" | "archive" | null>(null);
  const resume = useResume(link);
  const go = useGo();
  const close = () => setAsks(null);
  if (link.status === "blocked") return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps clicks from the row around it
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys do not reach the row either
    <span onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={size} variant={quiet ? "subtle" : "default"} aria-label={`More about ${link.code}`}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil />} onClick={() => go(`/earn/links/${link.id}?edit=yes`)}>
            Edit
          </Menu.Item>
          {link.status === "active" ? (
            <Menu.Item leftSection={<Pause />} onClick={() => setAsks("pause")}>
              Pause…
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Play />} onClick={resume}>
              {link.status === "archived" ? "Restore" : "Resume"}
            </Menu.Item>
          )}
          {link.status !== "archived" && (
            <Menu.Item leftSection={<Archive />} onClick={() => setAsks("archive")}>
              Archive…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <PauseLink link={link} opened={asks === "pause"} close={close} />
      <ArchiveLink link={link} opened={asks === "archive"} close={close} />
    </span>
  );
}

type AskProps = { link: AffiliateLink; opened: boolean; close(): void };

function PauseLink({ link, opened, close }: AskProps) {
  const setStatus = useSetStatus();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Pause ${link.code}?`}
      action="Pause"
      onConfirm={() => setStatus(link, "paused")}
    >
      <p>
        It still leads to <b>{hostOf(link.destination_url)}</b>, but clicks from now on <b>count for nothing</b>: who comes by it
        is not attributed to you. What came by it so far stays yours, and so do clicks of the last {link.window_days} days.
      </p>
    </Confirm>
  );
}

function ArchiveLink({ link, opened, close }: AskProps) {
  const archive = useArchiveLink();
  const update = useUpdateLink();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Archive ${link.code}?`}
      action="Archive"
      danger
      onConfirm={async () => {
        const archived = await archive.mutateAsync(link);
        toast(`${link.code} is archived`, () => {
          update
            .mutateAsync({ link: archived, body: { status: link.status === "paused" ? "paused" : "active" } })
            .catch((error: Error) => toastError("Not restored", error));
        });
      }}
    >
      <p>
        It leaves the list. It still leads to <b>{hostOf(link.destination_url)}</b>, so that no old newsletter meets a dead end,
        but clicks no longer count. Its code is never given to another link; you can restore it at any time.
      </p>
    </Confirm>
  );
}
