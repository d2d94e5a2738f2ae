// Floor of "receive a message" and "send a message": node:http, JSON.parse and the product's own insert of a message, autocommitted, into a
// table with the same indexes and checks. No signature, person, conversation, feed or queue.
import {
  MESSAGE_DEFAULTS,
  type NewMessage,
  shownMessage,
} from "@tributary/server/src/features/inbox/conversations/messages/model.ts";
import { messageInsert } from "@tributary/server/src/features/inbox/conversations/messages/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

const { partner_id } = readSetting();
const { query } = elsewhere("messages");

const ID = newId("conversation", Date.now());

serveWrite(201, async (body) => {
  const { text, id: provider_id = null } = JSON.parse(body) as { text: string; id?: string };
  const now = new Date();
  // Each has a conversation of its own, so that none waits for another.
  const place = { id: newId("conversation", now.getTime()), account_id: ID, channel_id: ID, last_ordinal: 0 };
  const message: NewMessage = {
    ...MESSAGE_DEFAULTS,
    id: newId("message", now.getTime()),
    direction: "out",
    kind: "text",
    author_type: "key",
    author_id: ID,
    text,
    status: "queued",
    provider_id,
  };
  const { row, insert } = messageInsert({ partner_id }, place, message, now);
  await query(insert.statement, insert.values);
  // A provider is answered with nothing.
  return provider_id === null ? shownMessage(row, { author_name: null, attachments: [] }) : "";
});
