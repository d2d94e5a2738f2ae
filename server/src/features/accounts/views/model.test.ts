import { expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import type { PersonPrincipal } from "../../../kernel/principal.ts";
import { checkShared, refuseMoreViews } from "./model.ts";

const user = (role: string) => ({ type: "user", role, user_id: "usr_me" }) as unknown as PersonPrincipal;
const operator = { type: "operator" } as unknown as PersonPrincipal;

test.each([
  // Own and others' personal views, own and others' shared ones.
  ["owner", user("owner"), [true, true, true, true]],
  ["admin", user("admin"), [true, true, true, true]],
  ["member", user("member"), [true, true, true, false]],
  ["read_only", user("read_only"), [true, true, false, false]],
  ["operator", operator, [true, true, true, true]],
])("shared views are changed by who shared them and by administrators: %s", (_, person, expected) => {
  const views = [false, true].flatMap((shared) => ["usr_me", "usr_other"].map((created_by) => ({ shared, created_by })));
  const codes = views.map((view) => refusalOf(() => checkShared(person, view))?.code ?? null);
  expect(codes).toEqual(expected.map((allowed) => (allowed ? null : "role_required")));
});

test("a limit says how many there are, and whose", () => {
  expect(refusalOf(() => refuseMoreViews(true))).toMatchObject({ code: "view_limit_reached", meta: { limit: 200 } });
  expect(refusalOf(() => refuseMoreViews(false))).toMatchObject({ code: "view_limit_reached", meta: { limit: 100 } });
  expect(refusalOf(() => refuseMoreViews(true))?.message).toContain("The account has 200 shared views");
  expect(refusalOf(() => refuseMoreViews(false))?.message).toContain("You have 100 personal views");
});
