import { fail } from "../../../kernel/errors.ts";
import type { Services } from "../../../platform/record/context.ts";
import type { Incoming, OpenChannel, ProviderReply, RawRequest } from "./adapter.ts";
import { adapterOf } from "./registry.ts";

/** Stores what came in: given by the feature that keeps conversations. */
export type Receive = (services: Services, channel: OpenChannel, items: readonly Incoming[]) => Promise<void>;

/** Takes a request of a provider: nothing of it is believed before its signature, and it is answered once all of it is stored. */
export async function takeHook(
  services: Services,
  channel: OpenChannel,
  request: RawRequest,
  receive: Receive,
): Promise<ProviderReply> {
  const adapter = adapterOf(channel.kind);
  // A channel that a snapshot brought has no secrets at first.
  const known = Object.keys(channel.secrets).length > 0 && adapter.verify(channel, request);
  if (!known) fail("invalid_signature");
  const items = adapter.parse(channel, request);
  if (items.length > 0) await receive(services, channel, items);
  return adapter.reply?.(channel, request) ?? { status: 200, type: "text/plain; charset=utf-8", text: "" };
}
