import { expect, test } from "vitest";
import { lookUp, pretend, type World } from "./overlay.model.ts";

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

const lead = { id: "led_1", name: "Ada", status: "working", email: "Ada@Home.example", tags: ["new"] };

test("a person is looked up, and whether a phone or an address is theirs", () => {
  const known = (from: World, args: object) => (lookUp(from, args as never) as { value: { known: boolean } }).value.known;
  const both = { ...world, lead };
  expect(lookUp(both, {})).toEqual({ ok: true, value: { known: true, contact: world.contact, lead, deals: [] } });
  expect(known(both, { phone: "+4930901820", email: "ADA@home.example" })).toBe(true);
  expect(known(both, { phone: "+4930901821", email: "ADA@home.example" })).toBe(false);
  expect(known(world, { email: "ada@home.example" })).toBe(false);
  expect(known({ ...world, contact: null }, { phone: "+4930901820" })).toBe(false);
  expect(known({ ...world, contact: null }, {})).toBe(true);
});

test("a lead is changed on the way of its statuses, or made of the contact", () => {
  const from = { ...world, lead };
  const changed = use(from, "update_lead", { status: "qualified", reason: "because", name: "Eve" });
  expect(changed.answer).toEqual({ ok: true, value: { lead_id: "led_1" } });
  expect(changed.changes).toEqual([
    {
      kind: "lead.update",
      target: "led_1",
      before: { status: "working", name: "Ada" },
      after: { status: "qualified", name: "Eve" },
    },
  ]);
  expect(changed.world.lead).toEqual({ ...lead, status: "qualified", name: "Eve" });
  expect(use({ ...from, statuses: [] }, "update_lead", { status: "working" }).answer.ok).toBe(true);
  expect(use(from, "update_lead", { name: "Eve" }).world.lead?.status).toBe("working");
  expect(use({ ...from, statuses: [] }, "update_lead", { status: "qualified" }).answer).toMatchObject({
    detail: "A lead that is working cannot become qualified.",
  });
  expect(use({ ...world, statuses: [] }, "update_lead", { status: "qualified" }).answer).toMatchObject({
    detail: "A lead that is new cannot become qualified.",
  });
  const made = use(world, "create_lead", { company: "Harbour" });
  expect(made.world.lead).toEqual({
    id: "new_lead_1",
    status: "new",
    name: "Ada",
    phone: "+4930901820",
    email: null,
    company: "Harbour",
    tags: [],
  });
  expect(made.changes).toEqual([
    {
      kind: "lead.create",
      target: "new_lead_1",
      before: null,
      after: { status: "new", name: "Ada", phone: "+4930901820", email: null, company: "Harbour" },
    },
  ]);
  expect(use({ ...world, contact: null }, "create_lead", { name: "Eve" }).world.lead).toEqual({
    id: "new_lead_1",
    status: "new",
    name: "Eve",
    tags: [],
  });
});

test("tags and notes go to the contact, else to the lead", () => {
  const alone = { ...world, contact: null, lead };
  expect(use(alone, "add_tag", { tag: "vip" })).toMatchObject({
    answer: { ok: true, value: { tags: ["new", "vip"] } },
    changes: [{ kind: "lead.update", target: "led_1", before: { tags: ["new"] }, after: { tags: ["new", "vip"] } }],
  });
  expect(use(alone, "add_tag", { tag: "vip" }).world.lead?.tags).toEqual(["new", "vip"]);
  expect(use({ ...world, lead }, "add_tag", { tag: "hot" }).changes).toMatchObject([{ kind: "contact.update" }]);
  const note = (target: string) => [{ kind: "note.create", target, before: null, after: { body: "x" } }];
  expect(use(alone, "add_note", { text: "x" }).changes).toEqual(note("led_1"));
  expect(use({ ...world, lead }, "add_note", { text: "x" }).changes).toEqual(note("con_1"));
  expect(use({ ...world, contact: null }, "add_tag", { tag: "x" }).answer).toMatchObject({ code: "no_person" });
});

test("deals begin in the first stage, or in one that is named, and the newest is moved", () => {
  const first = use(world, "create_deal", { name: "Site" });
  expect(first.changes).toEqual([
    {
      kind: "deal.create",
      target: "new_deal_1",
      before: null,
      after: { name: "Site", amount_cents: null, stage: "New", status: "open" },
    },
  ]);
  const old = { id: "dea_1", name: "Old", amount_cents: 7, stage: "Won", status: "open" };
  const made = use({ ...world, deals: [old] }, "create_deal", { name: "Site", amount_cents: 5, stage: "WON" });
  expect(made.world.deals.map(({ id, stage, amount_cents }) => [id, stage, amount_cents])).toEqual([
    ["new_deal_1", "Won", 5],
    ["dea_1", "Won", 7],
  ]);
  const moved = use(made.world, "move_deal", { stage: "new" });
  expect(moved.world.deals.map(({ id, stage }) => [id, stage])).toEqual([
    ["new_deal_1", "New"],
    ["dea_1", "Won"],
  ]);
  expect(moved.answer).toEqual({ ok: true, value: { deal_id: "new_deal_1" } });
  expect(use(made.world, "move_deal", { stage: "Gone" }).answer).toMatchObject({ code: "stage_not_in_pipeline" });
  const never = { ...world, stages: [] };
  expect(use(never, "create_deal", { name: "Site" }).world.deals[0]?.stage).toBe("");
  expect(use(never, "create_deal", { name: "Site", stage: "Any" }).world.deals[0]?.stage).toBe("Any");
});

test("payment links and follow-ups are changes of their own", () => {
  const args = { amount_cents: 500, description: "Site" };
  const { answer, changes } = use(world, "create_payment_link", args);
  expect(answer).toEqual({
    ok: true,
    value: { payment_link_id: "new_payment_link_1", url: "https://payment.invalid/new_payment_link_1" },
  });
  expect(changes).toEqual([{ kind: "payment_link.create", target: "new_payment_link_1", before: null, after: args }]);
  expect(use({ ...world, contact: null, lead }, "create_payment_link", args).answer.ok).toBe(true);
  expect(use({ ...world, contact: null }, "create_payment_link", args).answer).toMatchObject({ code: "no_person" });
  expect(use(world, "schedule_follow_up", { minutes: 5, text: "x" }).changes).toEqual([
    { kind: "follow_up.schedule", target: "conversation", before: null, after: { minutes: 5, text: "x" } },
  ]);
  expect(use(world, "handoff", {})).toEqual({ world, answer: { ok: true, value: {} }, changes: [] });
});
