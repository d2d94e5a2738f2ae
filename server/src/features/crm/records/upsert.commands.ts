import type { RecordKind } from "../../../kernel/changes.ts";
import { type ErrorCode, fail } from "../../../kernel/errors.ts";
import { type Match, namesOf } from "./upsert.model.ts";

/** How often the upsert is retried when a concurrent write changes which record matches. */
const ATTEMPTS_MAX = 5;

/** How a resource is found by an identity, and inserted or updated. */
export type UpsertSteps<R> = {
  /** Finds the records that match and locks them, in one statement: one that no longer matches once it is locked is left out. */
  find(): Promise<(R & Match)[]>;
  /** Null when a concurrent write has inserted a record with the identity. */
  add(): Promise<R | null>;
  change(before: R): Promise<R>;
};

/**
 * Updates the record with an identity, or inserts it. Of concurrent upserts one inserts; the inserts of the others wait for it on the
 * unique index, and then update its record.
 */
export async function upsertRecord<R>(
  kind: RecordKind,
  { find, add, change }: UpsertSteps<R>,
): Promise<{ record: R; before: R | null }> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const [before, ...others] = await find();
    if (before === undefined) {
      const record = await add();
      if (record !== null) return { record, before: null };
    } else if (others.length > 0)
      refuseAmbiguous(
        kind,
        [before, ...others].map(({ id, matched_on }) => ({ id, matched_on })),
      );
    else return { record: await change(before), before };
  }
  fail("service_unavailable", {
    detail: `Concurrent requests keep changing the ${kind}. Retry the request.`,
    headers: { "retry-after": "1" },
  });
}

/** Refuses an identity that several records match. */
export function refuseAmbiguous(kind: RecordKind, matches: readonly Match[]): never {
  const candidates = matches.map(({ id, matched_on }) => `${id} by ${namesOf(matched_on)}`);
  const detail = `Several ${kind}s match: ${candidates.join(", ")}. Merge them, or send the identity of one.`;
  fail("ambiguous_match", { detail, meta: { candidates: matches } });
}

/** Refuses an identity that another record has. */
export function refuseDuplicate(
  kind: RecordKind,
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
