/** Every word that the chat itself says. */
export const TEXTS = {
  title: "Chat",
  open: "Open chat",
  openUnread: (count: number) => `Open chat, ${count} new ${count === 1 ? "message" : "messages"}`,
  close: "Close chat",
  messages: "Messages",
  message: "Message",
  placeholder: "Write a message",
  send: "Send",
  earlier: "Show earlier messages",
  you: "You",
  waiting: "Sending …",
  offline: "No connection. Your message is sent as soon as there is one.",
  failed: "This message could not be sent.",
};
