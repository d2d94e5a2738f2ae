export type {
  Adapter,
  Capabilities,
  ChannelKind,
  ChannelStatus,
  Check,
  Consent,
  Incoming,
  IncomingMessage,
  IncomingStatus,
  Net,
  OpenChannel,
  Outgoing,
  ProviderReply,
  RawRequest,
  Sent,
} from "./adapter.ts";
export { CONSENTS, KINDS } from "./adapter.ts";
export { feature } from "./feature.ts";
