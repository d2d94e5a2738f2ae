import type { TSchema } from "../../../platform/http/type.ts";
import type { HttpSender } from "../../../platform/net/http-sender.ts";
import type { ReachMail } from "../../../platform/net/mail-host.ts";

/** Every kind of channel that there is or will be. */
export const KINDS = ["webchat", "email", "sms", "whatsapp", "api", "simulator"] as const;
export type ChannelKind = (typeof KINDS)[number];

export const CHANNEL_STATUSES = ["active", "paused", "error"] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

/** The kinds of consent that a person gives or withdraws. */
export const CONSENTS = ["sms", "email", "whatsapp"] as const;
export type Consent = (typeof CONSENTS)[number];

/** A channel with its secrets, as adapters need it. */
export type OpenChannel<C = object, S = object> = {
  partner_id: string;
  id: string;
  account_id: string;
  kind: ChannelKind;
  status: ChannelStatus;
  config: C;
  secrets: S;
  /** Names the channel in public paths. */
  token: string;
  per_minute: number;
  hours?: Hours | null;
  timezone?: string | null;
  version: number;
};

/** When somebody is there: periods of local time, by day of the week. */
export type Hours = Readonly<Record<string, readonly { from: string; to: string }[] | undefined>>;

/** A message on its way to a provider. */
export type Outgoing = {
  /** The id of the message: the idempotency key of everything that is done for it. */
  id: string;
  conversation_id: string;
  to: string;
  subject: string | null;
  text: string;
  html: string | null;
  /** The template that the provider has approved, with the values of its placeholders in their order. */
  template: { name: string; language: string; values: string[] } | null;
  attachments: OutgoingFile[];
  /** Names the conversation in what comes back, such as the address for answers of an e-mail. */
  reply_token: string;
  thread: { message_id?: string; references?: string[] };
  /** Written by a machine, and said so where the channel can say it. */
  automatic: boolean;
  /** 1 for the first. */
  attempt: number;
};

/** A file of a message: its bytes, and for a provider that fetches it a link that expires. */
export type OutgoingFile = { name: string; media_type: string; bytes: number; read(): Promise<Buffer>; link(): string };

/** What became of a call of the provider: `passing` is tried again, `config` waits until the channel is changed or tested. */
export type Sent =
  | { result: "accepted"; provider_id: string }
  | { result: "passing" | "permanent" | "opted_out" | "config"; code: string; detail: string; retry_after_ms?: number };

/** A file that the provider keeps, and gives to whoever asks for it by its address or its id. */
export type Media = { url?: string; id?: string; media_type: string | null; name: string | null };

export type IncomingMessage = {
  type: "message";
  provider_id: string;
  /** The address of the sender, as `addressOf` writes it. */
  from: string;
  thread?: string;
  profile: { name?: string; email?: string; phone?: string; external_id?: string };
  text: string;
  html?: string;
  subject?: string;
  attachments: { name: string; media_type: string; bytes: Buffer }[];
  /** Files that are still to be fetched, and those that could not be. */
  media?: Media[];
  missing?: Media[];
  at: Date;
  /** What the channel needs to answer it, or knows beyond the text. */
  detail?: object;
  /** Written by a machine: never answered automatically. */
  automatic?: boolean;
  reply_token?: string;
  /** The provider ids of messages that it answers or follows. */
  references?: string[];
};

export type IncomingStatus = {
  type: "status";
  provider_id: string;
  /** The message that it is about, where the provider gives back what it was told. */
  message_id?: string;
  status: "sent" | "delivered" | "read" | "failed";
  at: Date;
  code?: string;
  detail?: string;
  opted_out?: boolean;
};

export type Incoming = IncomingMessage | IncomingStatus;

/** A request of a provider, as it came. */
export type RawRequest = {
  method: string;
  /** The public address that it was sent to, with its query. */
  url: URL;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  at: Date;
  /** The word in the names of our own headers. */
  brand: string;
};

/** What an adapter answers a provider that wants to read something. */
export type ProviderReply = { status: number; type: string; text: string };

/** The outcome of a test: whether the provider knows the channel, and what it says. */
export type Check = { ok: boolean; code: string | null; detail: string };

/** What an adapter reaches the world by. */
export type Net = {
  http: HttpSender;
  /** Reaches this service itself, and nothing else. */
  own: HttpSender;
  /** Finds the servers of e-mail. */
  mail: ReachMail;
  base_url: string;
  brand: string;
  now(): Date;
};

export type Capabilities = {
  text_max: number;
  html: boolean;
  /** How many files a message can have. */
  attachments: number;
  /** How long after a person's last message others than templates may be sent. */
  window_hours: number | null;
  delivered: boolean;
  read: boolean;
  /** Whether the provider sends a message once, however often it is asked to. */
  idempotent: boolean;
  consent: Consent | null;
};

/** A person as a channel may reach it. */
export type Reachable = { phone: string | null; email: string | null; external_id?: string | null };

/** How a kind of channel speaks with its provider. `C` is its configuration, `S` its secrets. */
export type Adapter<C = object, S = object> = {
  kind: ChannelKind;
  /** A closed object; every member of `secrets` is a text that is never shown. */
  config: TSchema;
  secrets: TSchema;
  capabilities: Capabilities;
  /** Whether there is no provider, and a message is sent once it is stored. */
  at_once?: true;
  /** Secrets that nobody has to give. */
  newSecrets?(): S;
  /** Where a person is reached on this channel. */
  addressOf(person: Reachable): string | null;
  check(channel: OpenChannel<C, S>, net: Net): Promise<Check>;
  /** Never throws. */
  send(channel: OpenChannel<C, S>, message: Outgoing, net: Net): Promise<Sent>;
  /** Whether an attempt without an outcome reached the provider. */
  confirm?(channel: OpenChannel<C, S>, message: Outgoing, net: Net): Promise<"sent" | "absent" | "unknown">;
  /** A file of a message that came in; null where the provider does not give it, or gives more bytes than that. Never throws. */
  fetchMedia?(channel: OpenChannel<C, S>, media: Media, net: Net, bytes_max: number): Promise<Buffer | null>;
  /** Whether a request comes from the provider. */
  verify(channel: OpenChannel<C, S>, request: RawRequest): boolean;
  /** What a verified request says. Of a provider, what it does not understand is left out; of a program of our own users it is refused. */
  parse(channel: OpenChannel<C, S>, request: RawRequest): Incoming[];
  /** What the provider wants to read once all is stored. Without it, an empty 200. */
  reply?(channel: OpenChannel<C, S>, request: RawRequest): ProviderReply;
};
