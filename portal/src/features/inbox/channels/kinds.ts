import type { ChannelKind } from "./data.ts";

/** What a channel of a kind is called, and how a person is written to on it. */
export const KINDS: Record<ChannelKind, { name: string; by: string }> = {
  sms: { name: "SMS", by: "SMS" },
  whatsapp: { name: "WhatsApp", by: "WhatsApp" },
  email: { name: "Email", by: "email" },
  webchat: { name: "Web chat", by: "chat" },
  api: { name: "Your own program", by: "your program" },
  simulator: { name: "Simulator", by: "simulated SMS" },
};

/** A member of `config` or `secrets`, as the form asks for it. */
export type Field = {
  in: "config" | "secrets";
  /** Members of members have dots: `smtp.host`. */
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  optional?: boolean;
  /** How it is asked for. Default: a line of text. */
  as?: "number" | "lines" | "words" | "color" | "choice" | "off";
  /** Of a choice: its values, and what each means. */
  choices?: Readonly<Record<string, string>>;
  /** What a new channel begins with. */
  initial?: string;
  /** What it belongs to: fields of a group stand together. */
  group?: string;
  /** Half a line, beside another of its kind. */
  half?: "wide" | "narrow";
};

const config = (name: string, label: string, more: Partial<Field> = {}): Field => ({ in: "config", name, label, ...more });
const secret = (name: string, label: string, more: Partial<Field> = {}): Field => ({ in: "secrets", name, label, ...more });

const ENCRYPTION = { tls: "From the start (TLS)", starttls: "After greeting (STARTTLS)", none: "None, in development alone" };
const encrypted = (by: string): Partial<Field> => ({
  optional: true,
  as: "choice",
  choices: ENCRYPTION,
  placeholder: by,
});

const sending = (name: string, label: string, more: Partial<Field> = {}) =>
  config(`smtp.${name}`, label, { group: "Sending, by SMTP", ...more });
const receiving = (name: string, label: string, more: Partial<Field> = {}) =>
  config(`imap.${name}`, label, { group: "Receiving, by IMAP", optional: true, ...more });

/** The kinds that a channel can be made of here, each with what its provider needs. */
export const FIELDS: Partial<Record<ChannelKind, readonly Field[]>> = {
  sms: [
    config("account_sid", "Account SID", { placeholder: "AC…", hint: "Of Twilio, or of a provider that speaks like it" }),
    config("from", "Number or messaging service", { placeholder: "+15550100000" }),
    config("base_url", "Address of the provider", { optional: true, hint: "Empty for Twilio" }),
    secret("auth_token", "Auth token"),
  ],
  whatsapp: [
    config("phone_number_id", "Phone number id", { hint: "In the WhatsApp settings of the app" }),
    config("base_url", "Address of the provider", { optional: true, hint: "Empty for Meta" }),
    secret("token", "Access token"),
    secret("app_secret", "App secret", { hint: "What arrives is signed with it" }),
    secret("verify_token", "Verify token", { hint: "A text of your own, given to the app with the callback URL" }),
  ],
  email: [
    config("from", "Address", { placeholder: "support@acme.example", hint: "What you send comes from it" }),
    config("name", "Name of the sender", { optional: true, placeholder: "Acme Support", hint: "What people see beside it" }),
    sending("host", "Server", { placeholder: "smtp.acme.example", half: "wide" }),
    sending("port", "Port", { as: "number", initial: "587", half: "narrow" }),
    sending("user", "User", { placeholder: "support@acme.example" }),
    secret("smtp_password", "Password", {
      group: "Sending, by SMTP",
      hint: "Of the mailbox, or one that its provider makes for apps",
    }),
    sending("tls", "Encryption", encrypted("By the port: from the start on 465, else STARTTLS")),
    receiving("host", "Server", {
      placeholder: "imap.acme.example",
      half: "wide",
      hint: "New mail is read every 30 seconds, and left as it is",
    }),
    receiving("port", "Port", { as: "number", initial: "993", half: "narrow", optional: false }),
    receiving("user", "User", { hint: "Empty: that of sending" }),
    secret("imap_password", "Password", { group: "Receiving, by IMAP", optional: true, hint: "Empty: that of sending" }),
    receiving("folder", "Folder", { placeholder: "INBOX" }),
    receiving("tls", "Encryption", encrypted("By the port: from the start on 993, else STARTTLS")),
    config("plus_address", "Answers come to plus-addresses, such as support+…@acme.example", {
      as: "off",
      hint: "They name the conversation of an answer. Turn it off if your server does not deliver them",
    }),
  ],
  webchat: [
    config("origins", "Pages that may show it", {
      as: "lines",
      placeholder: "https://www.acme.example",
      hint: "The beginning of their addresses, one a line. Others are refused",
    }),
    config("title", "Title", { optional: true, placeholder: "Acme Support" }),
    config("greeting", "Greeting", {
      as: "words",
      optional: true,
      placeholder: "How can we help?",
      hint: "Stands above the first message",
    }),
    config("color", "Colour", { as: "color", optional: true, placeholder: "#rrggbb" }),
    config("position", "Where it stands", {
      as: "choice",
      optional: true,
      choices: { right: "Right", left: "Left" },
      placeholder: "Right",
    }),
    secret("identity_secret", "Identity secret", {
      optional: true,
      hint: "16 to 200 characters of your own, with which your site names the user who is signed in. Without it, nobody is named",
    }),
  ],
  api: [
    config("url", "Address of your program", {
      placeholder: "https://",
      hint: "Messages are posted there, signed like webhooks",
    }),
    secret("secret", "Secret", { placeholder: "whsec_…", hint: "whsec_ and 24 to 66 bytes in base64: signs both ways" }),
  ],
  simulator: [config("from", "Number of the channel", { optional: true, placeholder: "+15550100000" })],
};
