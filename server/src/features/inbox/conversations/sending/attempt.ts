import { setTimeout as sleep } from "node:timers/promises";
import type { Signer } from "../../../../platform/crypto/sign.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import type { Net, Outgoing, Sent } from "../../channels/index.ts";
import { fileLink } from "../attachments/link.model.ts";
import { attachmentsOf, readChunks } from "../attachments/queries.ts";
import type { Claimed } from "./claim.commands.ts";

/** What came of an attempt: the provider's answer, or what it says of the attempt before, which was lost. */
export type Result =
  | Sent
  | { result: "confirmed" }
  | { result: "unknown"; code: string; detail: string; retry_after_ms?: number };
export type Attempted = { started_at: Date; duration_ms: number; result: Result };

export type Attempting = { db: Queryable; signer: Signer; net: Net; call_ms: number };

/** Has a message sent, once. It never throws: an error is a result, too. */
export async function attemptSend(attempting: Attempting, claimed: Claimed): Promise<Attempted> {
  const { net, call_ms } = attempting;
  const started_at = net.now();
  const began_ms = performance.now();
  const calling = outgoingOf(attempting, claimed).then((message) => call(claimed, message, net));
  const result = await within(call_ms, calling).catch(
    (error: Error): Result => ({ result: "passing", code: "error", detail: `The message could not be sent: ${error.message}` }),
  );
  return { started_at, duration_ms: Math.round(performance.now() - began_ms), result };
}

/** After a lost attempt the provider is asked first. */
async function call({ adapter, channel, unsure }: Claimed, message: Outgoing, net: Net): Promise<Result> {
  const before = unsure ? ((await adapter.confirm?.(channel, message, net)) ?? "absent") : "absent";
  if (before === "sent") return { result: "confirmed" };
  if (before === "unknown") return { result: "unknown", code: "unknown", detail: "The provider does not say whether it has it." };
  return adapter.send(channel, message, net);
}

/** A call that takes longer than a claim would be taken for lost. */
async function within(call_ms: number, calling: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = sleep(call_ms, undefined, { signal: over.signal }).then(
    (): Result => ({ result: "passing", code: "timeout", detail: `The provider did not answer within ${call_ms / 1_000} s.` }),
  );
  late.catch(() => undefined);
  calling.catch(() => undefined);
  return Promise.race([calling, late]).finally(() => over.abort());
}

async function outgoingOf({ db, signer, net }: Attempting, { message, attempt }: Claimed): Promise<Outgoing> {
  const { partner_id, id, conversation_id, address, subject, text, html, reply_token, automatic, detail } = message;
  const { template = null, thread = {} } = (detail ?? {}) as Partial<Pick<Outgoing, "template" | "thread">>;
  const files = await attachmentsOf(db, message, id);
  const attachments = files.map(({ id: file_id, name, media_type, bytes }) => ({
    name,
    media_type,
    bytes,
    async read() {
      const chunks: Buffer[] = [];
      for await (const chunk of readChunks(db, partner_id, file_id)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    link: () => fileLink(signer, net.base_url, { partner_id, id: file_id }, net.now()),
  }));
  const content = { subject, text, html, template, attachments };
  return { id, conversation_id, to: address, ...content, reply_token, thread, automatic, attempt };
}
