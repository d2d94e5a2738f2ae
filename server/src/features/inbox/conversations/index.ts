export { lockConversation } from "./change.commands.ts";
export { identifyVisitor, markThreadRead, readThread, writeMessage } from "./chat/commands.ts";
export { ChatIdentity, ChatMessage, ChatRead } from "./chat/schema.ts";
export { streamThread } from "./chat/stream.commands.ts";
export { contactInUse, eraseConversations } from "./erase.queries.ts";
export { feature } from "./feature.ts";
export { receive } from "./inbound/commands.ts";
export { addOutgoing, type Draft } from "./messages/send.commands.ts";
export { createSendingEngine, type SendingEngine } from "./sending/index.ts";
