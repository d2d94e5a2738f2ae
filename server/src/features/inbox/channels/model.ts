import { type Fault, fail, within } from "../../../kernel/errors.ts";
import { isTimeZone, nextRun } from "../../../kernel/schedule.ts";
import { compile } from "../../../platform/http/validation.ts";
import type { Settings } from "../../../platform/record/context.ts";
import { endpointUrl } from "../../outbox/webhooks/index.ts";
import type { Adapter, ChannelKind, Hours } from "./adapter.ts";
import { adapterOf } from "./registry.ts";

/** How many channels in use an account has. */
export const CHANNELS_MAX = 50;

/** How many messages are sent in a minute where nobody says otherwise. */
export const PER_MINUTE = 60;

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** The purpose under which the secrets of a channel are sealed. */
export const secretsPurpose = (channel_id: string) => `channel ${channel_id}`;

type Members = Readonly<Record<string, unknown>>;

const refuse = (pointer: string, code: string, detail: string): never => {
  const faults: Fault[] = [{ in: "body", pointer, code, detail }];
  fail("validation_failed", { detail, faults });
};

/** The simulator is no way to reach anybody: it is there where a service is shown, tested or developed. */
export function refuseSimulator(kind: ChannelKind, { demo, egress }: Settings): void {
  if (kind !== "simulator" || demo || egress === "development") return;
  refuse("#/kind", "simulator_off", "The simulator is only for demos and development: use another kind of channel.");
}

const checks = new Map<Adapter, Record<"config" | "secrets", (value: unknown) => void>>();

function checksOf(kind: ChannelKind) {
  const adapter = adapterOf(kind);
  const known = checks.get(adapter);
  if (known !== undefined) return known;
  const made = { config: compile(adapter.config, "body"), secrets: compile(adapter.secrets, "body") };
  checks.set(adapter, made);
  return made;
}

/** The configuration of a kind of channel, checked, with its addresses in their one form. */
export function checkedConfig(kind: ChannelKind, config: Members, settings: Settings): Promise<Members> {
  return within("config", async () => {
    checksOf(kind).config(config);
    const urls = ["url", "base_url"].filter((name) => typeof config[name] === "string");
    return { ...config, ...Object.fromEntries(urls.map((name) => [name, endpointUrl(String(config[name]), settings, name)])) };
  });
}

export function checkSecrets(kind: ChannelKind, secrets: Members): Promise<void> {
  return within("secrets", async () => checksOf(kind).secrets(secrets));
}

/** Members with some of them changed; null removes one. */
export function patchMembers(before: Members, patch: Members): Members {
  return Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null));
}

/** Refuses hours without a zone, and periods that end before they begin or overlap. */
export function checkHours(hours: Hours | null, timezone: string | null): void {
  if (timezone !== null && !isTimeZone(timezone))
    refuse("#/timezone", "unknown_time_zone", `${timezone} is no time zone of the IANA database, such as Europe/Berlin.`);
  if (hours === null) return;
  if (timezone === null) refuse("#/timezone", "timezone_required", "hours needs timezone: the zone that its times are in.");
  for (const [day, periods = []] of Object.entries(hours)) {
    for (const [index, { from, to }] of periods.entries()) {
      const pointer = `#/hours/${day}/${index}`;
      if (from >= to) refuse(pointer, "empty_period", `The period from ${from} to ${to} ends before it begins.`);
      if (from < (periods[index - 1]?.to ?? ""))
        refuse(pointer, "overlapping_period", `The period from ${from} to ${to} begins before the one before it ends.`);
    }
  }
}

/** Whether a channel is within its hours; one without hours always is. */
export function isOpen(hours: Hours | null, timezone: string | null, now: Date): boolean {
  if (hours === null) return true;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone ?? "UTC",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const time = `${parts.hour}:${parts.minute}`;
  const periods = hours[(parts.weekday ?? "").toLowerCase()] ?? [];
  return periods.some(({ from, to }) => from <= time && time < to);
}

/** Whether somebody is there now, and when that changes; null for a channel without hours. */
export function presence(
  hours: Hours | null,
  timezone: string | null,
  now: Date,
): { open: boolean; changes_at: Date | null } | null {
  if (hours === null) return null;
  const open = isOpen(hours, timezone, now);
  const times = DAYS.flatMap((day, index) =>
    (hours[day] ?? []).map((period) => nextTime(open ? period.to : period.from, index, timezone ?? "UTC", now)),
  );
  // One period may begin where another ends.
  const changes = times.filter((time) => time !== null && isOpen(hours, timezone, time) !== open) as Date[];
  return { open, changes_at: changes.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null };
}

/** When it is a time of a day of the week next; 24:00 is midnight of the day after. */
function nextTime(time: string, day: number, timezone: string, now: Date): Date | null {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return nextRun(`${minute} ${hour % 24} * * ${(day + 1 + Math.floor(hour / 24)) % 7}`, timezone, now);
}
