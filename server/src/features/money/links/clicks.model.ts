import { hash } from "node:crypto";
import { timeOfId } from "../../../kernel/ids.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const VISITOR_LENGTH = 32;

/** A click as the redirect notes it. The address and the agent are forgotten when it is stored. */
export type NotedClick = {
  id: string;
  partner_id: string;
  link_id: string;
  ip: string;
  agent: string;
  referrer_host: string | null;
  bot: "agent" | "prefetch" | null;
};

export type StoredClick = Pick<NotedClick, "id" | "partner_id" | "link_id" | "referrer_host" | "bot"> & {
  /** In hexadecimal. */
  visitor: string;
  repeat: boolean;
  /** Whether it is the first click of the visitor on this day. */
  first: boolean;
};

/** Clicks of one day come together, and a date is expensive to render. */
let last: { number: number; day: string } = { number: 0, day: "1970-01-01" };

/** The day of a click in UTC. */
export function dayOf(click_id: string): string {
  const number = Math.floor(timeOfId(click_id) / DAY_MS);
  if (number !== last.number) last = { number, day: new Date(number * DAY_MS).toISOString().slice(0, 10) };
  return last.day;
}

/** A visitor of one link on one day. Under another salt, or for another link, the same person is another visitor. */
export function visitorOf(salt: string, { link_id, ip, agent }: Pick<NotedClick, "link_id" | "ip" | "agent">): string {
  return hash("sha256", `${salt}\0${link_id}\0${ip}\0${agent}`).slice(0, VISITOR_LENGTH);
}

const keyOf = (link_id: string, visitor: string) => `${link_id} ${visitor}`;

/** The last click of a visitor. */
export type LastClick = Pick<StoredClick, "link_id" | "visitor" | "id">;

type Unflagged = Omit<StoredClick, "repeat" | "first">;

/** The last click of each visitor among some clicks. Bots are nobody. */
export function lastClicks(clicks: readonly Unflagged[]): LastClick[] {
  const last = new Map<string, LastClick>();
  for (const { link_id, visitor, id, bot } of clicks) {
    const key = keyOf(link_id, visitor);
    const known = last.get(key);
    if (bot === null && (known === undefined || known.id < id)) last.set(key, { link_id, visitor, id });
  }
  return [...last.values()];
}

/** Tells repeated clicks, and the first of each visitor of the day, from what came before. */
export function flagged(clicks: readonly Unflagged[], earlier: readonly LastClick[]): StoredClick[] {
  const last = new Map(earlier.map(({ link_id, visitor, id }) => [keyOf(link_id, visitor), id]));
  const inOrder = clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return inOrder.map((click) => {
    if (click.bot !== null) return { ...click, repeat: false, first: false };
    const key = keyOf(click.link_id, click.visitor);
    const before = last.get(key);
    last.set(key, click.id);
    return {
      ...click,
      repeat: before !== undefined && timeOfId(click.id) - timeOfId(before) < HOUR_MS,
      first: before === undefined,
    };
  });
}

export type DayCount = { link_id: string; day: string; clicks: number; visitors: number; bots: number; repeats: number };

/** How much some clicks add to the days of their links. */
export function dayCounts(clicks: readonly StoredClick[]): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const { id, link_id, bot, repeat, first } of clicks) {
    const day = dayOf(id);
    const key = `${link_id} ${day}`;
    const count = days.get(key) ?? { link_id, day, clicks: 0, visitors: 0, bots: 0, repeats: 0 };
    days.set(key, count);
    if (bot !== null) count.bots += 1;
    else count.clicks += 1;
    if (first) count.visitors += 1;
    if (repeat) count.repeats += 1;
  }
  return [...days.values()].sort((a, b) => (`${a.link_id} ${a.day}` < `${b.link_id} ${b.day}` ? -1 : 1));
}
