import { createChat } from "./chat.ts";
import { createClient, type User } from "./client.ts";
import { createStorage, pageStorage } from "./storage.ts";
import { createView } from "./view.ts";

/** Puts the chat on the page whose script element this is: `data-channel` names the channel, `data-user-id` and `data-user-hash` the user. */
function start(script: HTMLScriptElement): void {
  const { channel, userId, userHash } = script.dataset;
  if (channel === undefined) return;
  const user: User | null = userId === undefined || userHash === undefined ? null : { user_id: userId, hash: userHash };
  const client = createClient(new URL(`/chat/${encodeURIComponent(channel)}`, script.src).href);
  const storage = createStorage(["tributary-chat", channel, user?.user_id ?? ""].join("."), pageStorage());
  const view = createView();
  const chat = createChat(client, storage, user, view.show);
  view.connect(chat);
  addEventListener("online", chat.wake);
  addEventListener("storage", chat.refresh);
  document.addEventListener("visibilitychange", () => {
    chat.wake();
    chat.noteSeen();
  });
  void chat.start();
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  if (document.body === null) addEventListener("DOMContentLoaded", () => start(script));
  else start(script);
}
