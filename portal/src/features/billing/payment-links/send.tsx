import { Checkbox, Modal } from "@mantine/core";
import { useState } from "react";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Channel, type PaymentLink, useSendLink } from "./data.ts";
import classes from "./links.module.css";
import { customerOf } from "./words.tsx";

/** Where a customer can be written to, and what that takes. */
export const CHANNELS: Record<Channel, { name: string; by: "phone" | "email" }> = {
  sms: { name: "SMS", by: "phone" },
  whatsapp: { name: "WhatsApp", by: "phone" },
  email: { name: "Email", by: "email" },
};

type Customer = { phone: string | null; email: string | null };
type FieldsProps = { channels: Channel[]; customer: Customer; set(channels: Channel[]): void };

const reachable = (channel: Channel, customer: Customer) => (customer[CHANNELS[channel].by] ?? "").trim() !== "";

/** By which channels it is sent: only those on which the customer can be reached. */
export function ChannelFields({ channels, customer, set }: FieldsProps) {
  return (
    <Checkbox.Group
      label="Send it by"
      description="A message in the conversation with the customer, on the channels of the account"
      value={channels}
      onChange={(chosen) => set(chosen as Channel[])}
    >
      <div className={classes.channels}>
        {Object.entries(CHANNELS).map(([value, { name }]) => (
          <Checkbox key={value} value={value} label={name} disabled={!reachable(value as Channel, customer)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

type Props = { link: PaymentLink; how: "send" | "remind"; close(): void };

/** Sends a link that exists, or reminds of it. */
export function SendLink({ link, how, close }: Props) {
  const send = useSendLink(how);
  const before = [...new Set(link.deliveries.map(({ channel }) => channel))];
  const first = (Object.keys(CHANNELS) as Channel[]).find((channel) => reachable(channel, link.customer));
  const [channels, setChannels] = useState<Channel[]>(before.length > 0 ? before : first ? [first] : []);
  const name = customerOf(link);
  const { busy, problem, onSubmit } = useApiForm<Record<string, never>>({
    initial: {},
    async send() {
      await send.mutateAsync({ link, channels });
      toast(how === "send" ? `The link is on its way to ${name}` : `${name} is reminded`);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={how === "send" ? `Send the link to ${name}` : `Remind ${name}?`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <ChannelFields channels={channels} customer={link.customer} set={setChannels} />
        <FormFoot action={how === "send" ? "Send link" : "Remind"} busy={busy} close={close} disabled={channels.length === 0} />
      </Form>
    </Modal>
  );
}
