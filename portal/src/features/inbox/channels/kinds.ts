import type { ChannelKind } from "./data.ts";

/** What a channel of a kind is called, and how a person is written to on it. */
export const KINDS: Record<ChannelKind, { name: string; by: string }> = {
  sms: { name: "SMS", by: "SMS" },
  whatsapp: { name: "WhatsApp", by: "WhatsApp" },
  email: { name: "E-mail", by: "e-mail" },
  webchat: { name: "Web chat", by: "chat" },
  api: { name: "Your own program", by: "your program" },
  simulator: { name: "Simulator", by: "simulated SMS" },
};

/** A member of `config` or `secrets`, as the form asks for it. */
export type Field = {
  in: "config" | "secrets";
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  optional?: boolean;
};

const config = (name: string, label: string, more: Partial<Field> = {}): Field => ({ in: "config", name, label, ...more });
const secret = (name: string, label: string, more: Partial<Field> = {}): Field => ({ in: "secrets", name, label, ...more });

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
  api: [
    config("url", "Address of your program", {
      placeholder: "https://",
      hint: "Messages are posted there, signed like webhooks",
    }),
    secret("secret", "Secret", { placeholder: "whsec_…", hint: "whsec_ and 24 to 66 bytes in base64: signs both ways" }),
  ],
  simulator: [config("from", "Number of the channel", { optional: true, placeholder: "+15550100000" })],
};

/** What the provider has to be told about the hook address. */
export const HOOK_HINTS: Partial<Record<ChannelKind, string>> = {
  sms: "The webhook of incoming messages at the provider. Statuses find their way by themselves.",
  whatsapp: "The callback URL of the app, together with the verify token.",
  api: "Where your program posts what people write, and what became of messages.",
  simulator: "Where the simulator sends what its phones write.",
};
