import type { Resource } from "../../../kernel/changes.ts";
import { type ErrorCode, fail } from "../../../kernel/errors.ts";
import { type Match, namesOf } from "./upsert.model.ts";

/** How often a record may come or go between the look and the write. */
const ROUNDS_MAX = 5;

/** How a kind of record is found by an identity, and made or changed. */
export type UpsertSteps<R> = {
  find(): Promise<Match[]>;
  /** The record of an id, locked; null when it is no longer the one meant. */
  lock(id: string): Promise<R | null>;
  /** Null when somebody else has made such a one meanwhile. */
  add(): Promise<R | null>;
  change(before: R): Promise<R>;
};

/**
 * Changes the record that has an identity, or makes it. Whoever comes second finds what the first has made: an insert waits for
 * another of the same, and then there is one to change.
 */
export async function upsertRecord<R>(
  kind: Resource,
  { find, lock, add, change }: UpsertSteps<R>,
): Promise<{ record: R; before: R | null }> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const matches = await find();
    if (matches.length > 1) refuseAmbiguous(kind, matches);
    if (matches[0] === undefined) {
      const record = await add();
      if (record !== null) return { record, before: null };
      continue;
    }
    const before = await lock(matches[0].id);
    if (before !== null) return { record: await change(before), before };
  }
  fail("service_unavailable", { detail: `The ${kind} changes too fast just now.`, headers: { "retry-after": "1" } });
}

/** Says which records match, and by what. */
export function refuseAmbiguous(kind: Resource, matches: readonly Match[]): never {
  const said = matches.map(({ id, matched_on }) => `${id} by its ${namesOf(matched_on)}`);
  fail("ambiguous_match", { detail: `The ${kind} is ${said.join(", and ")}.`, meta: { candidates: matches } });
}

/** Says whose the phone, the e-mail or the external id is. */
export function refuseDuplicate(
  kind: Resource,
  code: ErrorCode & `duplicate_${string}`,
  matches: readonly Match[],
  own_id?: string,
): never {
  const [other] = matches.filter(({ id }) => id !== own_id);
  const fields = other?.matched_on ?? [];
  fail(code, {
    detail: `Another ${kind} of the account has this ${namesOf(fields) || "phone, e-mail or external id"}.`,
    meta: { existing_id: other?.id ?? null, fields },
  });
}
