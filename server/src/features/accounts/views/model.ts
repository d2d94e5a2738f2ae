import { fail } from "../../../kernel/errors.ts";
import type { PersonPrincipal } from "../../../kernel/principal.ts";
import type { ViewShown } from "./schema.ts";

/** How many personal views a user may have, and how many shared ones an account. */
export const PERSONAL_MAX = 100;
export const SHARED_MAX = 200;

export type View = ViewShown & { json: string };

/** Refuses to share a view, or to change a shared one, by who only reads; and by whoever neither made it nor administers the account. */
export function checkShared(person: PersonPrincipal, view: Pick<View, "shared" | "created_by">): void {
  if (!view.shared || person.type === "operator" || person.role === "owner" || person.role === "admin") return;
  if (person.role === "read_only") fail("role_required", { detail: "A role that only reads cannot share views." });
  if (view.created_by === person.user_id) return;
  fail("role_required", { detail: "Only who shared this view, an owner or an administrator can change it." });
}

export function refuseMoreViews(shared: boolean): never {
  const limit = shared ? SHARED_MAX : PERSONAL_MAX;
  const whose = shared ? "The account has" : "You have";
  fail("view_limit_reached", { detail: `${whose} ${limit} ${shared ? "shared" : "personal"} views already.`, meta: { limit } });
}
