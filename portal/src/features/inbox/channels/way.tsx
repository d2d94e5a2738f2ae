import { Button } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { Code } from "../../../ui/code.tsx";
import { Copy } from "../../../ui/copy.tsx";
import { Section } from "../../../ui/section.tsx";
import classes from "./channels.module.css";
import type { Channel, ChannelKind } from "./data.ts";

/** What the provider has to be told about the hook address. */
const HOOK_HINTS: Partial<Record<ChannelKind, string>> = {
  sms: "The webhook of incoming messages at the provider. Statuses find their way by themselves.",
  whatsapp: "The callback URL of the app, together with the verify token.",
  api: "Where your program posts what people write, and what became of messages.",
  simulator: "Where the simulator sends what its phones write.",
};

const tokenOf = ({ hook_path }: Channel) => hook_path.slice(hook_path.lastIndexOf("/") + 1);

/** How what people write gets into the channel. */
export function Way({ channel }: { channel: Channel }) {
  if (channel.kind === "webchat") return <OnPages channel={channel} />;
  if (channel.kind === "email") return <ByMail channel={channel} />;
  const address = `${location.origin}${channel.hook_path}`;
  return (
    <Section title="Address for the provider">
      <Copied text={address} label="Copy the address" />
      <p className="muted">{HOOK_HINTS[channel.kind]}</p>
    </Section>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.hook}>
      <code>{text}</code>
      <Copy text={text} label={label} />
    </div>
  );
}

/** The line that puts a chat on a page. */
function OnPages({ channel }: { channel: Channel }) {
  const token = tokenOf(channel);
  const line = `<script async src="${location.origin}/chat/widget.js" data-channel="${token}"></script>`;
  const origins = (channel.config.origins ?? []) as string[];
  return (
    <Section title="On your pages">
      <div className={classes.pages}>
        <p>
          Put this line into each page, before <code>{"</body>"}</code>.{" "}
          {origins.length === 0 ? "No page may show it yet: add the pages below." : `It is shown on ${origins.join(", ")}.`}
        </p>
        <Code text={line} label="The script line" />
        <Button
          component="a"
          href={`/chat/demo?channel=${token}`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<ExternalLink />}
        >
          Try it on a page of ours
        </Button>
      </div>
    </Section>
  );
}

/** Where mail comes from: the mailbox, or what is forwarded to the service. */
function ByMail({ channel }: { channel: Channel }) {
  const { from, imap } = channel.config as { from?: string; imap?: { host: string; folder?: string } };
  if (imap !== undefined)
    return (
      <Section title="Incoming mail">
        <p>
          Read from {imap.folder ?? "INBOX"} at {imap.host} every 30 seconds, from the moment that it was set.
        </p>
      </Section>
    );
  return (
    <Section title="Incoming mail">
      <p>
        No mailbox is read. Name one below, or forward {from} to this name at the host where the service accepts mail (its
        operator sets it up):
      </p>
      <Copied text={`${tokenOf(channel)}@`} label="Copy the name" />
    </Section>
  );
}
