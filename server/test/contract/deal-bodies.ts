import { newId } from "../../src/kernel/ids.ts";
import { nextCompany } from "../harness/sales.ts";
import { nextPhone } from "../harness/world.ts";

/** A deal of a company that nobody has yet: it would be another's otherwise. */
const newDeal = () => ({
  name: "Ten seats",
  company: nextCompany(),
  company_domain: `deal${nextPhone().slice(1)}.example`,
  contact: { name: "Ada Okafor", email: `ada@deal${nextPhone().slice(1)}.example`, phone: nextPhone() },
  amount_cents: 120_000,
  currency: "usd",
  expected_close_on: "2026-12-24",
  contact_id: null,
  owner_id: null,
  tags: ["vip"],
  notes: "Decides before the summer.",
  custom: {},
  external_id: "crm-4711",
});

/** A body of each operation on deals, pipelines and registrations that takes one. */
export const DEAL_BODIES = {
  "deals.create": () => ({ ...newDeal(), stage: "Lost", lost_reason: "Too dear" }),
  "deals.update": {
    name: "Twelve seats",
    company: "Harbour Group",
    company_domain: "group.example",
    contact: { name: "Bo Ek" },
    amount_cents: 130_000,
    currency: "eur",
    expected_close_on: null,
    contact_id: null,
    owner_id: null,
    tags: ["emea"],
    notes: "Moved.",
    custom: {},
    external_id: "crm-4712",
  },
  "deals.move": {
    stage: "Lost",
    expected_stage: "New",
    lost_reason: "Too dear",
    note: "They asked twice.",
    dry_run: false,
  },
  "deals.bulk": { action: "tag", deal_ids: [newId("deal", Date.now()), newId("deal", Date.now())], tags: ["vip"] },
  "deals.create_note": { body: "Called, asked for an offer." },
  "deals.update_note": { body: "Called again." },
  "partner_deals.create": () => ({
    ...newDeal(),
    plan: "Growth",
    mrr_cents: 49_900,
    client_id: null,
    stage: "Qualified",
    lost_reason: null,
  }),
  "partner_deals.update": { name: "Twelve seats", tags: ["emea"], notes: "Moved.", external_id: "crm-4713" },
  "pipelines.create": {
    name: "Renewals",
    stages: [
      { name: "Due", type: "open", probability: 40, required_fields: ["amount_cents"], target_days: 14 },
      { name: "Renewed", type: "won" },
      { name: "Gone", type: "lost" },
    ],
    rules: { no_skip: true, no_way_back: true, require_lost_reason: true },
    is_default: false,
  },
  "pipelines.update": {
    name: "Upgrades",
    stages: [
      { name: "Asked", type: "open", probability: 30, required_fields: ["notes"], target_days: null },
      { name: "Upgraded", type: "won" },
      { name: "Declined", type: "lost" },
    ],
    rules: { no_skip: false },
    is_default: false,
    archived: false,
  },
  "registrations.check": {
    company: "Harbour Dental",
    company_domain: "harbour.example",
    contact: { email: "ada@harbour.example", phone: "+14155552671" },
  },
  "registrations.withdraw": { reason: "Gone quiet" },
  "registrations.approve": { reason: "Welcome" },
  "registrations.reject": { reason: "Sold to already" },
  "registrations.request_info": { reason: "Which plan?" },
} satisfies Record<string, object | (() => object)>;
