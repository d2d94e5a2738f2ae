import { expect, test } from "vitest";
import { pretend, type World } from "./overlay.model.ts";

const world: World = {
  contact: { id: "con_1", name: "Ada", phone: "+4930901820", email: null, company: null, tags: ["vip"] },
  lead: null,
  deals: [],
  statuses: ["working", "qualified", "disqualified"],
  stages: ["New", "Won"],
};
const use = (from: World, tool: string, args: Record<string, unknown>) => pretend(from, { effect: "write", call: 1, tool, args });

test("a turn sees what it has done before it is done", () => {
  const lead = use(world, "update_lead", { email: "ada@harbour.example", status: "qualified" });
  expect(lead.answer).toEqual({ ok: true, value: { lead_id: "new_lead_1" } });
  expect(lead.world.lead).toMatchObject({ name: "Ada", email: "ada@harbour.example", status: "qualified" });
  expect(use(lead.world, "create_lead", {}).answer).toMatchObject({ ok: false, code: "duplicate_lead" });
  const deal = use(world, "create_deal", { name: "Site", amount_cents: 5 });
  const moved = use(deal.world, "move_deal", { stage: "won" });
  expect(moved.changes).toEqual([{ kind: "deal.move", target: "new_deal_1", before: { stage: "New" }, after: { stage: "Won" } }]);
  expect(use(world, "update_contact", { company: "Harbour" }).changes).toEqual([
    { kind: "contact.update", target: "con_1", before: { company: null }, after: { company: "Harbour" } },
  ]);
  expect(use(world, "add_tag", { tag: "vip" }).changes).toEqual([]);
  expect(use(world, "add_tag", { tag: "hot" }).world.contact?.tags).toEqual(["vip", "hot"]);
  expect(world.contact?.tags).toEqual(["vip"]);
});

test("what the commands behind the tools would refuse is refused", () => {
  const codes = (from: World, tool: string, args = {}) => use(from, tool, args).answer;
  expect(codes(world, "move_deal", { stage: "Won" })).toMatchObject({ code: "no_deal" });
  expect(codes(world, "create_deal", { name: "x", stage: "Gone" })).toMatchObject({ code: "stage_not_in_pipeline" });
  expect(codes({ ...world, contact: null }, "update_contact", {})).toMatchObject({ code: "no_contact" });
  expect(codes({ ...world, contact: null }, "add_note", { text: "x" })).toMatchObject({ code: "no_person" });
  expect(codes({ ...world, statuses: [] }, "update_lead", { status: "qualified" })).toMatchObject({
    code: "invalid_state_transition",
  });
});
