import { ActionIcon, Button, Menu } from "@mantine/core";
import { Archive, ChevronDown, Ellipsis, Pause, Play, Rocket, Settings2 } from "lucide-react";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { useGo } from "../../ui/link.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { type Agent, type AgentVersionWhole, useArchiveAgent, useUpdateAgent } from "./data.ts";
import { useSave } from "./editor/save.ts";
import type { PartProps } from "./part.ts";

type Props = PartProps & { version: AgentVersionWhole | undefined };

/** Publishing what is written: it is saved first, and what changes is shown before it is published. */
function usePublishing({ agent, draft, version }: Props) {
  const [, setUrl] = useUrl();
  const { save, busy } = useSave({ agent, draft, version });
  const possible = draft.changed || agent.latest_version !== agent.published_version;
  const publish = async () => {
    if (!draft.changed || (await save())) setUrl({ do: "publish" }, true);
  };
  return { publish: () => void publish(), busy, possible };
}

/** What can be done with an agent as a whole. */
export function AgentActs(props: Props) {
  const [, setUrl] = useUrl();
  const { publish, busy, possible } = usePublishing(props);
  return (
    <>
      <More agent={props.agent}>
        <Button variant="subtle" rightSection={<ChevronDown />}>
          More
        </Button>
      </More>
      <Button variant="default" leftSection={<Settings2 />} onClick={() => setUrl({ do: "settings" }, true)}>
        Settings
      </Button>
      <Button loading={busy} disabled={!possible} onClick={publish}>
        Publish…
      </Button>
    </>
  );
}

/** The same on a phone, behind one button. */
export function AgentPhoneActs(props: Props) {
  const [, setUrl] = useUrl();
  const { publish, possible } = usePublishing(props);
  return (
    <More
      agent={props.agent}
      before={
        <>
          <Menu.Item leftSection={<Rocket />} disabled={!possible} onClick={publish}>
            Publish…
          </Menu.Item>
          <Menu.Item leftSection={<Settings2 />} onClick={() => setUrl({ do: "settings" }, true)}>
            Settings
          </Menu.Item>
        </>
      }
    >
      <ActionIcon size={44} aria-label="What to do">
        <Ellipsis size={20} />
      </ActionIcon>
    </More>
  );
}

function More({ agent, before, children }: { agent: Agent; before?: React.ReactNode; children: React.ReactNode }) {
  const [archives, setArchives] = useState(false);
  const update = useUpdateAgent();
  const archive = useArchiveAgent();
  const go = useGo();
  const paused = agent.status === "paused";
  const set = (of: Agent, status: "active" | "paused", undone = false): Promise<unknown> =>
    update.mutateAsync({ agent: of, body: { status } }).then(
      (saved) =>
        toast(
          status === "paused" ? `${saved.name} is paused` : `${saved.name} is active again`,
          undone ? undefined : () => void set(saved, status === "paused" ? "active" : "paused", true),
        ),
      (error: Error) => toastError(`${of.name} is as it was`, error),
    );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {before}
          {agent.published_version !== null && (
            <Menu.Item leftSection={paused ? <Play /> : <Pause />} onClick={() => void set(agent, paused ? "active" : "paused")}>
              {paused ? "Resume" : "Pause"}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Archive />} onClick={() => setArchives(true)}>
            Archive…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={archives}
        close={() => setArchives(false)}
        title={`Archive ${agent.name}?`}
        action="Archive"
        danger
        type={agent.name}
        onConfirm={async () => {
          await archive.mutateAsync(agent);
          toast(`${agent.name} is archived`);
          go(`/crm/${agent.account_id}/agents`);
        }}
      >
        <p>
          It answers nobody any more, and its channels have no agent. What it has said can still be read.{" "}
          <b>Nothing can undo it.</b>
        </p>
      </Confirm>
    </>
  );
}
