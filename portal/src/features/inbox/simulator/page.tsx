import { Select } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { Empty } from "../../../ui/empty.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Problem } from "../../../ui/form.tsx";
import { Link } from "../../../ui/link.tsx";
import { Content, Page } from "../../../ui/page.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { time } from "../../../ui/when.tsx";
import { WriteLine } from "../../../ui/write-line.tsx";
import { InAccount } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type Channel, useChannel } from "../channels/data.ts";
import { useConversations } from "../conversations/data.ts";
import { type PhoneMessage, usePhone, useWriteFrom } from "./data.ts";
import classes from "./simulator.module.css";

/** A number that is nobody's, reserved for fiction. */
const NUMBER = "+12025550199";

export default function SimulatorPage() {
  return <InAccount title="Simulator">{(account) => <Simulator account={account} />}</InAccount>;
}

function Simulator({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useChannel(id);
  const channel = query.data;
  const trail = [["Channels", `/crm/${account.id}/channels`]] as const;
  if (channel === undefined) return <Waiting title="Simulator" trail={trail} query={query} />;
  return (
    <Page title={`Phone of ${channel.name}`} trail={trail} api={`GET /v1/channels/${channel.id}`}>
      {channel.kind === "simulator" && channel.archived_at === null ? (
        <Shown account={account} channel={channel} />
      ) : (
        <Empty title="No simulator">Only a channel of the kind simulator that is in use has a phone on the screen.</Empty>
      )}
    </Page>
  );
}

type Props = { account: Account; channel: Channel };

/** Somebody's phone: what is written here arrives in the inbox, and what is answered there arrives here. */
function Shown({ account, channel }: Props) {
  const [url, setUrl] = useUrl();
  const number = url.number ?? NUMBER;
  const people = useConversations({ account_id: account.id, channel_id: channel.id }).rows;
  const known = people.map(({ address, person_name }) => ({ value: address, label: person_name ?? address }));
  const numbers = known.some(({ value }) => value === number)
    ? known
    : [{ value: number, label: number === NUMBER ? "Somebody new" : number }, ...known];
  return (
    <Content>
      <p className={classes.about}>
        Write as somebody, and answer in the{" "}
        <Link className="link" to={`/crm/${account.id}/inbox`}>
          inbox
        </Link>
        . Nobody is reached. STOP ends messages to this phone until START.
      </p>
      <div className={classes.who}>
        <Select
          label="Whose phone"
          data={numbers}
          value={number}
          allowDeselect={false}
          onChange={(value) => setUrl({ number: value ?? undefined })}
        />
      </div>
      <Phone key={number} channel={channel} number={number} />
    </Content>
  );
}

function Phone({ channel, number }: { channel: Channel; number: string }) {
  const { data: messages, error, refetch } = usePhone(channel, number);
  const write = useWriteFrom(channel);
  const end = useRef<HTMLDivElement>(null);
  const newest = messages?.[0]?.sid;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message
  useLayoutEffect(() => {
    // Not returned: some browsers answer with a promise, and an effect returns what undoes it.
    end.current?.scrollTo(0, end.current.scrollHeight);
  }, [newest]);
  if (error && messages === undefined) return <Failure title="The simulator did not answer" error={error} retry={refetch} />;
  return (
    <section className={classes.phone} aria-label={`Phone ${number}`}>
      <header>{channel.name}</header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no mouse scrolls by keys */}
      <div ref={end} className={classes.screen} tabIndex={0} role="log" aria-label="Messages on the phone">
        {messages?.length === 0 && <p className={classes.quiet}>No messages since the service started</p>}
        {messages?.toReversed().map((message) => (
          <Bubble key={message.sid} message={message} />
        ))}
      </div>
      <Problem error={write.error} />
      <WriteLine
        placeholder="Text message"
        maxLength={1600}
        label="Send as this person"
        busy={write.isPending}
        say={(text) => write.mutateAsync({ from: number, text })}
      />
    </section>
  );
}

function Bubble({ message: { direction, body, date_created } }: { message: PhoneMessage }) {
  return (
    <div className={classes.bubble} data-own={direction === "inbound" || undefined}>
      <p>{body}</p>
      <time dateTime={new Date(date_created).toISOString()}>{time(date_created)}</time>
    </div>
  );
}
