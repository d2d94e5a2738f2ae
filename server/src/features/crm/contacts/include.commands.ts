import { fail } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { mayAccess } from "../../accounts/custom-fields/index.ts";

/** Refuses to include contacts for a key that may not read them. */
export function checkInclude(ctx: Context, { include }: { include?: "contact" }): void {
  if (include === undefined || mayAccess(ctx, "contact", "read")) return;
  const required_scope = "contacts:read";
  fail("insufficient_scope", { detail: `include=contact also requires the scope ${required_scope}.`, meta: { required_scope } });
}
