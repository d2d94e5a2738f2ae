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
  Media,
  Net,
  OpenChannel,
  Outgoing,
  OutgoingFile,
  ProviderReply,
  RawRequest,
  Sent,
} from "./adapter.ts";
export { CONSENTS, KINDS } from "./adapter.ts";
export { assignAgent } from "./agents.commands.ts";
export { channelAsset } from "./asset/commands.ts";
export { channelByToken, createChannel, netOf, openChannel } from "./commands.ts";
export { createMailboxReader, takeMail } from "./email/mailbox.commands.ts";
export type { EmailChannel } from "./email/wire.ts";
export { feature } from "./feature.ts";
export { type Receive, takeHook } from "./hooks.commands.ts";
export { isOpen, presence } from "./model.ts";
export { type OptOutAddress, optedOutAt, optIn, optOut } from "./opt-outs.commands.ts";
export { type ChannelError, isChannelAddress, releaseChannels, saveError as noteChannelError } from "./queries.ts";
export { adapterOf, OFFERED } from "./registry.ts";
export type { ChannelCreate } from "./schema.ts";
export { accountOf, type SimulatorChannel } from "./simulator/adapter.ts";
export { createTwin, isAdmitted, type TwinReply } from "./simulator/twin.ts";
export { WEBCHAT_TEXT_MAX, type WebchatChannel } from "./webchat/adapter.ts";
export {
  isIdentified,
  newVisitor,
  newVisitorToken,
  readVisitorToken,
  requireOrigin,
  type Sender,
  type Visitor,
  visitorOfUser,
} from "./webchat/model.ts";
