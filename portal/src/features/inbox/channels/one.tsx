import { Button, Group } from "@mantine/core";
import { Smartphone } from "lucide-react";
import { useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Form, Problem, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import type { Account } from "../../crm/records/data.ts";
import classes from "./channels.module.css";
import { faultsOf } from "./create.tsx";
import { type Channel, type ChannelTest, useArchiveChannel, useTestChannel, useUpdateChannel } from "./data.ts";
import { ChannelFields } from "./fields.tsx";
import { hoursMembersOf } from "./hours.ts";
import { KINDS } from "./kinds.ts";
import { membersOf, type Values, valuesOf } from "./values.ts";
import { Way } from "./way.tsx";

type Props = { account: Account; channel: Channel; writes: boolean; close(): void };

/** A channel: how it stands, its address for the provider, its test, and its settings. */
export function ChannelPanel({ account, channel, writes, close }: Props) {
  const changes = writes && channel.archived_at === null;
  return (
    <Panel
      title={channel.name}
      close={close}
      foot={
        changes && (
          <>
            <Acts channel={channel} close={close} />
            <Button type="submit" form="edit-channel">
              Save
            </Button>
          </>
        )
      }
    >
      <div className={classes.stack}>
        <Standing channel={channel} />
        <Facts
          rows={[
            ["Kind", KINDS[channel.kind].name],
            ["Messages", `${channel.capabilities.text_max.toLocaleString("en-US")} characters${reports(channel)}`],
            ["Changed", <When key="changed" at={channel.updated_at} as="since" />],
            ["Id", <Id key="id">{channel.id}</Id>],
          ]}
        />
        {channel.archived_at === null && <Way channel={channel} />}
        {changes && channel.kind !== "webchat" && <Test channel={channel} />}
        {channel.kind === "simulator" && channel.archived_at === null && (
          <Button
            component={Link}
            to={`/crm/${account.id}/channels/${channel.id}/simulator`}
            variant="default"
            leftSection={<Smartphone />}
          >
            Open the phone
          </Button>
        )}
        <Edit key={channel.version} channel={channel} writes={changes} close={close} />
      </div>
    </Panel>
  );
}

const reports = ({ capabilities: { delivered, read, attachments, window_hours } }: Channel) =>
  [
    attachments ? ", files" : "",
    delivered || read
      ? `, says when one is ${[...(delivered ? ["delivered"] : []), ...(read ? ["read"] : [])].join(" and ")}`
      : "",
    window_hours === null ? "" : `; ${window_hours} h after the person's last message only templates`,
  ].join("");

/** Why nothing is sent on it, if that is so. */
function Standing({ channel: { status, last_error, archived_at, secrets_set } }: { channel: Channel }) {
  if (archived_at !== null) return <Blocker title="Archived">What was said on it can be read, and not answered.</Blocker>;
  if (status === "paused")
    return <Blocker title="Paused">Nothing is sent, what is to be sent waits, and what arrives is kept.</Blocker>;
  if (status !== "error") return null;
  return (
    <Blocker tone="bad" title="The provider refuses it">
      {last_error === null
        ? secrets_set
          ? "Messages wait until it is changed or tested with success."
          : "It has no secrets."
        : `${last_error.detail} (${last_error.code}) Messages wait until it is changed or tested with success.`}
    </Blocker>
  );
}

function Test({ channel }: { channel: Channel }) {
  const test = useTestChannel();
  const [result, setResult] = useState<ChannelTest | null>(null);
  const run = () => void test.mutateAsync(channel.id).then(setResult, () => setResult(null));
  return (
    <Section title="Test">
      <div className={classes.test}>
        <Button variant="default" loading={test.isPending} onClick={run}>
          Ask the provider
        </Button>
        <div role="status">
          {result && (
            <>
              <State tone={result.ok ? "live" : "bad"}>{result.ok ? "accepted" : "refused"}</State>{" "}
              <span className="soft">
                {result.detail} {result.code && <code>{result.code}</code>}
              </span>
            </>
          )}
        </div>
      </div>
      <Problem error={test.error} />
    </Section>
  );
}

/** Changes what is filled in; secrets that are left empty stay as they are. */
function Edit({ channel: opened, writes, close }: Omit<Props, "account">) {
  const channel = useAsOpened(opened);
  const update = useUpdateChannel();
  const { form, problem, onSubmit } = useApiForm<Values>({
    initial: valuesOf(channel.kind, channel),
    faultsOf,
    async send({ kind: _, name, per_minute, config, secrets, ...hours }) {
      const given = membersOf(channel.kind, "secrets", secrets);
      const settings = membersOf(channel.kind, "config", config, channel.config);
      const saved = await update.mutateAsync({
        channel,
        body: {
          name,
          per_minute: Number(per_minute),
          ...hoursMembersOf(hours),
          ...(Object.keys(settings).length === 0 ? {} : { config: settings }),
          ...(Object.keys(given).length === 0 ? {} : { secrets: given }),
        },
      });
      toast(`${saved.name} is saved`);
      close();
    },
  });
  return (
    <Section title="Settings">
      <Form id="edit-channel" onSubmit={onSubmit} problem={problem}>
        <ChannelFields form={form} kind={channel.kind} edits disabled={!writes} />
      </Form>
    </Section>
  );
}

function Acts({ channel, close }: { channel: Channel; close(): void }) {
  const [archives, setArchives] = useState(false);
  const update = useUpdateChannel();
  const archive = useArchiveChannel();
  const set = (of: Channel, status: "active" | "paused", undone = false): Promise<unknown> =>
    update.mutateAsync({ channel: of, body: { status } }).then(
      (saved) => {
        const back = status === "active" ? "paused" : "active";
        toast(
          `${saved.name} is ${status === "paused" ? "paused" : "active again"}`,
          undone ? undefined : () => void set(saved, back, true),
        );
      },
      (error: Error) => toastError("Not changed", error),
    );
  const paused = channel.status === "paused";
  return (
    <Group gap={8} mr="auto">
      <Button variant="danger-subtle" onClick={() => setArchives(true)}>
        Archive…
      </Button>
      <Button variant="default" loading={update.isPending} onClick={() => void set(channel, paused ? "active" : "paused")}>
        {paused ? "Resume" : "Pause"}
      </Button>
      <Confirm
        opened={archives}
        close={() => setArchives(false)}
        title={`Archive ${channel.name}?`}
        action="Archive"
        danger
        type={channel.name}
        onConfirm={async () => {
          await archive.mutateAsync(channel);
          toast(`${channel.name} is archived`);
          close();
        }}
      >
        <p>
          What people write to its address is refused, what waits to be sent on it is not sent, and its conversations can only be
          read and closed. <b>Nothing can undo it.</b>
        </p>
      </Confirm>
    </Group>
  );
}
