import { fail } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { keysOf } from "../../knowledge/index.ts";
import type { VersionContent } from "./schema.ts";

/** Refuses the keys of sources that the account does not have. */
export async function requireSources(
  ctx: Context,
  tx: Tx,
  account_id: string,
  { knowledge = [] }: VersionContent,
): Promise<void> {
  if (knowledge.length === 0) return;
  const known = new Set((await keysOf(tx, ctx.scope, account_id)).map(({ key }) => key));
  const faults = knowledge.flatMap((key, index) =>
    known.has(key)
      ? []
      : [
          {
            in: "body" as const,
            pointer: `#/knowledge/${index}`,
            code: "unknown_source",
            detail: `The account has no knowledge source with the key ${key}.`,
          },
        ],
  );
  if (faults.length > 0) fail("validation_failed", { faults });
}
