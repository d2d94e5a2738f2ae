import { eventMessage, HEARTBEAT_EVERY_MS, heartbeat, type Pieces } from "../../../../platform/http/streams.ts";
import type { Services } from "../../../../platform/record/context.ts";
import type { Listener } from "../../../../platform/record/follow.ts";
import type { Visitor, WebchatChannel } from "../../channels/index.ts";
import { createSharedReads } from "../stream.model.ts";
import { BEGINNING, type Place, placeId, placeOf } from "./model.ts";
import { addressOfMessage, threadAfter } from "./queries.ts";

const PAGE = 100;
const CHANGES_MAX = 100;

const addresses = createSharedReads<{ channel_id: string; address: string }>();

/**
 * The thread of a visitor from a place on, in its order and each message once, whichever process the visitor comes back to. The change feed
 * only tells when to look: one read of it serves all visitors of a partner, and whose a message is, is read once for all of them.
 */
export function streamThread(services: Services, channel: WebchatChannel, visitor: Visitor, after: string | undefined): Pieces {
  const { db, follower, settings } = services;
  const { heartbeat_ms = HEARTBEAT_EVERY_MS } = settings;
  const first = after === undefined || after === "" ? BEGINNING : placeOf(after);

  return async function* pieces(gone) {
    const listener = follower.listen(channel.partner_id);
    try {
      yield heartbeat();
      let place: Place = first;
      let position: number | null = null;
      let sent_ms = performance.now();
      while (!gone.aborted && !follower.closed()) {
        const news = await newsFor(services, listener, channel, visitor, position);
        position = news.position;
        const rows = news.any ? await threadAfter(db, channel, visitor, place, PAGE) : [];
        // There may be more: it is asked for before anything is waited for.
        if (rows.length === PAGE) position = null;
        const silent_ms = performance.now() - sent_ms;
        if (rows.length === 0 && silent_ms < heartbeat_ms) {
          // What was told of while something was read is not waited for.
          if (!news.any && listener.position() <= news.position) await listener.wait(heartbeat_ms - silent_ms, gone);
          continue;
        }
        place = rows.at(-1) ?? place;
        yield rows.map((row) => eventMessage("message", row.json, placeId(row))).join("") || heartbeat();
        sent_ms = performance.now();
      }
    } finally {
      listener.leave();
    }
  };
}

type News = { any: boolean; position: number };

/** Whether the visitor's thread may have changed since a position of the feed: without one, and after a gap, it may. */
async function newsFor(
  { db }: Services,
  listener: Listener,
  channel: WebchatChannel,
  { address }: Visitor,
  after: number | null,
): Promise<News> {
  const until = listener.position();
  const stretch = after === null ? null : listener.since(after, CHANGES_MAX);
  if (stretch === null) return { any: true, position: until };
  const { changes, position } = stretch;
  const ids = changes
    .filter(({ resource, account_id }) => resource === "message" && account_id === channel.account_id)
    .map(({ id }) => id);
  const owners = await Promise.all(
    ids.map((id) => addresses(`${channel.partner_id} ${id}`, () => addressOfMessage(db.byKey, channel.partner_id, id))),
  );
  const any = owners.some((owner) => owner?.channel_id === channel.id && owner.address === address);
  return { any, position };
}
