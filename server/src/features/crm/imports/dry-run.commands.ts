import { hash } from "node:crypto";
import { Refusal } from "../../../kernel/errors.ts";
import type { Importable, ImportBatch, Outcome } from "../records/index.ts";
import { type ActiveImport, insertIdentities, knownIdentities } from "./step.queries.ts";

/**
 * The outcomes that rows would have. A dry run writes no records, so the identities of those that earlier steps would have created are
 * kept as hashes.
 */
export async function applyDryRun(
  kind: Importable,
  active: ActiveImport,
  batch: ImportBatch,
  inputs: readonly object[],
): Promise<Outcome[]> {
  const hashes = inputs.map((input) => kind.identities(batch, input).map((text) => hash("sha256", text, "buffer")));
  const known = await knownIdentities(batch.tx, active, hashes.flat());
  const repeats = hashes.map((own) => own.some((one) => known.has(one.toString("hex"))));
  const applied = await kind.apply(batch, inputs);
  const outcomes = applied.map((outcome, index) => (repeats[index] === true ? repeatedOutcome(kind, batch, outcome) : outcome));
  const created = hashes.filter((_, index) => outcomes[index]?.status === "created").flat();
  if (created.length > 0) await insertIdentities(batch.tx, active, created);
  return outcomes;
}

function repeatedOutcome({ resource }: Importable, { mode }: ImportBatch, outcome: Outcome): Outcome {
  if (outcome.status !== "created") return outcome;
  if (mode !== "create") return { status: "updated", image: null };
  const code = `duplicate_${resource}` as const;
  return { status: "failed", refusal: new Refusal(code, { detail: `An earlier row of the file has the same ${resource}.` }) };
}
