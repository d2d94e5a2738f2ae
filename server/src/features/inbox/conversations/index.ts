export { lockConversation } from "./change.commands.ts";
export { closeConversation, snoozeConversation, updateConversation } from "./commands.ts";
export { contactInUse, eraseConversations } from "./erase.queries.ts";
export { feature } from "./feature.ts";
export { receive } from "./inbound/commands.ts";
export { addNote, sendMessage } from "./messages/commands.ts";
export { addOutgoing, type Draft } from "./messages/send.commands.ts";
export { openConversationId } from "./queries.ts";
export { createSendingEngine, type SendingEngine } from "./sending/index.ts";
