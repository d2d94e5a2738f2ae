import type { Answer, Request } from "./model.ts";

type Fields = Record<string, unknown>;
type Tagged = Fields & { id: string; tags: readonly string[] };
export type WorldDeal = { id: string; name: string; amount_cents: number | null; stage: string; status: string };

/** What an agent sees and changes of an account: the person of the conversation and that person's deals. */
export type World = {
  contact: Tagged | null;
  lead: (Tagged & { status: string }) | null;
  /** Open ones, newest first. */
  deals: readonly WorldDeal[];
  /** The statuses that the lead can get to, or a new one. */
  statuses: readonly string[];
  /** The names of the stages, the first one first; deals are not moved elsewhere. */
  stages: readonly string[];
};

/** What a tool would change, in the words of the API. */
export type Change = { kind: string; target: string; before: unknown; after: unknown };

export type Pretended = { world: World; answer: Answer; changes: Change[] };

const refusal = (world: World, code: string, detail: string): Pretended => ({
  world,
  answer: { ok: false, code, detail },
  changes: [],
});

/**
 * A tool that writes, on the world as it is pretended: the turn sees what it has done before it is done, and in the sandbox it is never
 * done. What the commands behind the tools would refuse, and can be known here, is refused here.
 */
export function pretend(world: World, request: Request): Pretended {
  const act = WRITES[request.tool];
  return act === undefined ? done(world, {}, []) : act(world, request.args, request.call);
}

/** The record that a tool is about. */
export function subjectOf({ contact, lead, deals }: World, tool: string): string | null {
  if (tool === "move_deal") return deals[0]?.id ?? null;
  if (tool === "update_lead") return (lead ?? contact)?.id ?? null;
  return (contact ?? lead)?.id ?? null;
}

/** What an agent is told of the person, and whether a phone or an e-mail address is theirs. */
export function lookUp({ contact, lead, deals }: World, { phone, email }: Fields): Answer {
  const people = [contact, lead].filter((one) => one !== null);
  const isTheirs = (field: string, value: unknown) =>
    people.some((one) => String(one[field] ?? "").toLowerCase() === String(value).toLowerCase());
  const asked = Object.entries({ phone, email }).filter(([, value]) => value !== undefined);
  const known = asked.every(([field, value]) => isTheirs(field, value));
  return { ok: true, value: { known, contact, lead, deals } };
}

/** What a deal, a lead or a payment link is called until it is made: then its id, and the address of the link, take these places. */
export const newDealId = (call: number) => `new_deal_${call}`;
export const newLeadId = (call: number) => `new_lead_${call}`;
export const newLinkId = (call: number) => `new_payment_link_${call}`;
export const newLinkUrl = (call: number) => `https://payment.invalid/${newLinkId(call)}`;

type Act = (world: World, args: Fields, call: number) => Pretended;
const done = (world: World, value: Fields, changes: Change[]): Pretended => ({ world, answer: { ok: true, value }, changes });

const pick = (record: Fields, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, record[name] ?? null]));

/** The change of a record by some fields. */
function changed(kind: string, record: Tagged, fields: Fields): Change {
  const names = Object.keys(fields);
  return { kind, target: record.id, before: pick(record, names), after: pick(fields, names) };
}

const WRITES: Readonly<Record<string, Act>> = {
  update_contact(world, args) {
    const { contact } = world;
    if (contact === null) return refusal(world, "no_contact", "The person is no contact yet.");
    const next = { ...world, contact: { ...contact, ...args } };
    return done(next, { contact_id: contact.id }, [changed("contact.update", contact, args)]);
  },
  update_lead(world, { reason, ...args }, call) {
    const { lead, contact, statuses } = world;
    const { status } = args;
    if (status !== undefined && status !== lead?.status && !statuses.includes(String(status)))
      return refusal(world, "invalid_state_transition", `A lead that is ${lead?.status ?? "new"} cannot become ${status}.`);
    if (lead === null) return addLead(world, contact, args, call);
    const next = { ...world, lead: { ...lead, ...args, status: String(status ?? lead.status) } };
    return done(next, { lead_id: lead.id }, [changed("lead.update", lead, args)]);
  },
  create_lead(world, args, call) {
    if (world.lead !== null) return refusal(world, "duplicate_lead", "The person is a lead already.");
    return addLead(world, world.contact, args, call);
  },
  add_tag(world, { tag }) {
    const [kind, record] = world.contact === null ? (["lead", world.lead] as const) : (["contact", world.contact] as const);
    if (record === null) return refusal(world, "no_person", "The conversation has no person.");
    const tags = record.tags.includes(String(tag)) ? record.tags : [...record.tags, String(tag)];
    const change = tags === record.tags ? [] : [changed(`${kind}.update`, record, { tags })];
    return done({ ...world, [kind]: { ...record, tags } }, { tags }, change);
  },
  add_note(world, { text }) {
    const record = world.contact ?? world.lead;
    if (record === null) return refusal(world, "no_person", "The conversation has no person.");
    return done(world, {}, [{ kind: "note.create", target: record.id, before: null, after: { body: text } }]);
  },
  create_deal(world, args, call) {
    const stage = stageOf(world, args.stage);
    if (stage === null) return refusal(world, "stage_not_in_pipeline", `${args.stage} is no stage.`);
    const amount_cents = (args.amount_cents as number | undefined) ?? null;
    const deal: WorldDeal = { id: newDealId(call), name: String(args.name), amount_cents, stage, status: "open" };
    const { id, ...after } = deal;
    const next = { ...world, deals: [deal, ...world.deals] };
    return done(next, { deal_id: id }, [{ kind: "deal.create", target: id, before: null, after }]);
  },
  move_deal(world, args) {
    const [deal, ...others] = world.deals;
    if (deal === undefined) return refusal(world, "no_deal", "The person has no open deal.");
    const stage = stageOf(world, args.stage);
    if (stage === null) return refusal(world, "stage_not_in_pipeline", `${args.stage} is no stage.`);
    const change = { kind: "deal.move", target: deal.id, before: { stage: deal.stage }, after: { stage } };
    return done({ ...world, deals: [{ ...deal, stage }, ...others] }, { deal_id: deal.id }, [change]);
  },
  create_payment_link(world, args, call) {
    if (world.contact === null && world.lead === null) return refusal(world, "no_person", "The conversation has no person.");
    const id = newLinkId(call);
    const change = { kind: "payment_link.create", target: id, before: null, after: args };
    return done(world, { payment_link_id: id, url: newLinkUrl(call) }, [change]);
  },
  schedule_follow_up: (world, args) =>
    done(world, {}, [{ kind: "follow_up.schedule", target: "conversation", before: null, after: args }]),
};

function addLead(world: World, contact: Tagged | null, args: Fields, call: number): Pretended {
  const known = contact === null ? {} : pick(contact, ["name", "phone", "email", "company"]);
  const lead = { status: "new", ...known, ...args, id: newLeadId(call), tags: [] };
  const { id, tags: _, ...after } = lead;
  return done({ ...world, lead }, { lead_id: id }, [{ kind: "lead.create", target: id, before: null, after }]);
}

/** The stage of a name, as it is spelled; without a name the first one. An account that never had a deal has no stages yet. */
function stageOf({ stages }: World, wanted: unknown): string | null {
  if (stages.length === 0) return String(wanted ?? "");
  if (wanted === undefined) return stages[0] ?? null;
  return stages.find((name) => name.toLowerCase() === String(wanted).toLowerCase()) ?? null;
}
