import { fail } from "../../../kernel/errors.ts";

export const CLIENT_STATUSES = ["pending", "active", "suspended", "churned"] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** The statuses that each status can change to. From churned to active is a win-back. */
export const TRANSITIONS: Record<ClientStatus, readonly ClientStatus[]> = {
  pending: ["active", "churned"],
  active: ["suspended", "churned"],
  suspended: ["active", "churned"],
  churned: ["active"],
};

/** What a caller may write of an account: the columns of both statements that write it, and what its audit entries compare. */
export type ClientFields = {
  company: string;
  external_id: string | null;
  contact: object | null;
  plan: string | null;
  mrr_cents: number;
  currency: string;
  branding: object | null;
  tags: string[];
  metadata: object;
};

export const CLIENT_FIELDS = [
  "company",
  "external_id",
  "contact",
  "plan",
  "mrr_cents",
  "currency",
  "branding",
  "tags",
  "metadata",
] as const satisfies (keyof ClientFields)[];

/** A snapshot that an account has, or gets once its deployment is worked off. */
export type ClientSnapshot = { snapshot_id: string; version: number; status: "installed" | "queued" };

/** The row of an account, with the JSON that the API shows of it. */
export type Client = ClientFields & {
  partner_id: string;
  id: string;
  house: boolean;
  status: ClientStatus;
  status_reason: string | null;
  created_at: Date;
  version: number;
  etag: string;
  json: string;
};

/** Whether a change of status has anything to do. The current status changes nothing; an impossible change is refused. */
export function checkTransition(client: Pick<Client, "status" | "house">, to: ClientStatus): boolean {
  if (client.status === to) return false;
  const allowed = client.house ? [] : TRANSITIONS[client.status];
  if (allowed.includes(to)) return true;
  fail("invalid_state_transition", {
    detail: client.house
      ? "The status of the house account cannot change: it is always active."
      : `A client that is ${client.status} cannot become ${to}. It can become ${allowed.join(" or ")}.`,
    meta: { from: client.status, to, allowed },
  });
}

/** Whole days between two instants. */
export function daysBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / 86_400_000);
}

export const TAGS_MAX = 50;

export function withTags(tags: readonly string[], added: readonly string[]): string[] {
  const all = [...new Set([...tags, ...added])];
  if (all.length <= TAGS_MAX) return all;
  fail("validation_failed", { detail: `tags would have ${all.length} entries; the maximum is ${TAGS_MAX}.` });
}

export function withoutTags(tags: readonly string[], removed: readonly string[]): string[] {
  return tags.filter((tag) => !removed.includes(tag));
}
