import type { Channel } from "./data.ts";

/** What a template can be written for. */
export const CHANNELS: Record<Channel, string> = {
  any: "Any channel",
  email: "Email",
  sms: "SMS",
  whatsapp: "WhatsApp",
  webchat: "Web chat",
};

export const hasSubject = (channel: Channel) => channel === "email" || channel === "any";

const PLACEHOLDERS = [
  "contact.name",
  "contact.first_name|there",
  "contact.phone",
  "contact.email",
  "contact.company",
  "account.name",
];

/** What a template can name, for an account with these custom fields of contacts. */
export const placeholdersOf = (keys: readonly string[]) =>
  [...PLACEHOLDERS, ...keys.map((key) => `contact.custom.${key}`)].map((name) => `{{${name}}}`);
