import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { statement } from "../db/statement.ts";
import { feedHead } from "./feed.ts";
import { createRecentChanges, type FollowedChange, type RecentChanges, type Stretch } from "./recent-changes.ts";
import { CHANGE_FEED } from "./sequencer.ts";

/** How often the feed is read for commits of other processes. */
const READ_EVERY_MS = 200;
/** The least time between two reads: commits of this process wake the follower, as many as there are. */
const READ_GAP_MS = 20;
/** How many changes one statement reads. */
const PAGE = 500;

/** A listener to the changes of a partner. It is in the state that the last read has left; `wait` tells of the next one. */
export type Listener = {
  /** The position up to which the feed has been read. */
  position(): number;
  /** The first changes after a position, `limit` at most; null where they are no longer kept and the feed itself must be read. */
  since(position: number, limit: number): Stretch | null;
  /** Resolves with the next change, when the time is over, or with the signal. */
  wait(within_ms: number, signal: AbortSignal): Promise<void>;
  leave(): void;
};

export type Follower = {
  listen(partner_id: string): Listener;
  /** Reads the feed of a partner at once, if anybody listens: told after each commit that changed a record. */
  wake(partner_id: string): void;
  /** Whether it has been closed: listeners are told, and end. */
  closed(): boolean;
  close(): void;
};

const changesBetween = statement(`
  select f.seq, f.resource, f.subject as id, f.account_id, f.change, f.subject_version as version
  from change_feed f
  where f.partner_id = $1 and f.seq > $2 and f.seq <= $3
  order by f.seq limit ${PAGE}`);

/**
 * Follows the change feed of every partner that has listeners in this process: one read per partner and turn, however many listen. The
 * last changes are kept once for all of them, so a slow listener costs no memory: what it missed it reads from the feed.
 */
export function createFollower(db: Database, report: (error: unknown) => void = () => undefined): Follower {
  const tracks = new Map<string, Track>();
  let closed = false;

  return {
    listen(partner_id) {
      const track = tracks.get(partner_id) ?? createTrack(db, partner_id, report);
      tracks.set(partner_id, track);
      track.join();
      return {
        position: track.position,
        since: track.since,
        wait: (within_ms, signal) => (closed ? Promise.resolve() : track.wait(within_ms, signal)),
        leave() {
          if (track.leave() === 0 && tracks.get(partner_id) === track) tracks.delete(partner_id);
        },
      };
    },
    wake: (partner_id) => tracks.get(partner_id)?.wake(),
    closed: () => closed,
    close() {
      closed = true;
      for (const track of tracks.values()) track.tell();
    },
  };
}

type Track = ReturnType<typeof createTrack>;

/** The feed of one partner, read while anybody listens. */
function createTrack(db: Database, partner_id: string, report: (error: unknown) => void) {
  const { tell, wait } = createWaiters();
  /** Null before the first read. */
  let recent: RecentChanges | null = null;
  let listeners = 0;
  let woken = false;
  let interrupt: (() => void) | undefined;

  async function readOn(): Promise<void> {
    const { seq } = await feedHead(db, CHANGE_FEED, partner_id);
    if (recent === null) {
      recent = createRecentChanges(seq);
      // Who comes back learns how far behind it is.
      tell();
    }
    while (recent.position() < seq && listeners > 0) {
      const changes = await db.query<FollowedChange>(changesBetween, [partner_id, recent.position(), seq]);
      recent.add({ changes, position: changes.length < PAGE ? seq : (changes.at(-1)?.seq ?? seq) });
      tell();
    }
  }

  /** Until nobody listens. A failure is reported once, until a read succeeds again. */
  async function run(): Promise<void> {
    let failing = false;
    while (listeners > 0) {
      woken = false;
      const error: unknown = await readOn().then(
        () => null,
        (failure: unknown) => failure,
      );
      if (error !== null && !failing) report(error);
      failing = error !== null;
      await (woken && !failing ? sleep(READ_GAP_MS) : pause());
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, READ_EVERY_MS);
      interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function wake(): void {
    woken = true;
    interrupt?.();
  }

  return {
    tell,
    wait,
    wake,
    position: () => recent?.position() ?? 0,
    since: (after: number, limit: number) => (recent === null ? { changes: [], position: after } : recent.since(after, limit)),
    join() {
      listeners += 1;
      if (listeners === 1) void run();
    },
    leave(): number {
      listeners -= 1;
      if (listeners === 0) wake();
      return listeners;
    },
  };
}

/** Those who wait for news: all of them are told at once. */
function createWaiters() {
  const waiting = new Set<() => void>();
  return {
    tell() {
      for (const resolve of [...waiting]) resolve();
    },
    wait(within_ms: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, within_ms);
        waiting.add(done);
        signal.addEventListener("abort", done, { once: true });
      });
    },
  };
}
