import { fail, Refusal } from "../../../../kernel/errors.ts";
import { isId } from "../../../../kernel/ids.ts";
import { compile } from "../../../../platform/http/validation.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { withTags } from "../../../accounts/clients/index.ts";
import { accountForChange } from "../../../accounts/custom-fields/index.ts";
import { addLink } from "../../../billing/payment-links/index.ts";
import { ContactPatch, changeContact, contactTimeline, lockContact } from "../../../crm/contacts/index.ts";
import { addDeal, DealCreate, lockDeal, moveDeal } from "../../../crm/deals/index.ts";
import {
  addLead,
  changeLead,
  type Lead,
  LeadCreate,
  LeadPatch,
  leadTimeline,
  lockLead,
  wayBetween,
} from "../../../crm/leads/index.ts";
import { notesOf } from "../../../crm/timeline/index.ts";
import { newDealId, newLeadId, newLinkId, newLinkUrl, subjectOf, type World, type Write } from "../../engine/index.ts";
import { type WorldOf, worldOf } from "../world.queries.ts";
import type { Claimed } from "./claim.commands.ts";
import { enqueueFollowUp } from "./queries.ts";

/** A command was refused when the turn was to be committed: by the call that wanted it, or by none where it was a message. */
export class CommandRefused extends Error {
  readonly call: number | null;
  readonly refusal: Refusal;

  constructor(call: number | null, refusal: Refusal) {
    super(refusal.message);
    this.call = call;
    this.refusal = refusal;
  }
}

/** Runs a part of the commit; what it refuses is told with the call. */
export async function refusable<T>(call: number | null, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    throw error instanceof Refusal ? new CommandRefused(call, error) : error;
  }
}

type Person = WorldOf & { world: World };
type Acting = Pick<Claimed, "person" | "turn">;
/** What a command has made, by what the turn called it. */
export type Made = Readonly<Record<string, string>>;
type Command = (ctx: Context, tx: Tx, person: Person, request: Write, acting: Acting) => Promise<Made | undefined>;

const checks = {
  contact: compile(ContactPatch, "body"),
  lead: compile(LeadPatch, "body"),
  new_lead: compile(LeadCreate, "body"),
  deal: compile(DealCreate, "body"),
};

/**
 * Does what a turn has decided, in its last transaction, on the record that it saw or has made, while that is open. The person is read
 * again each time: a command before may have changed it.
 */
export async function runCommand(ctx: Context, tx: Tx, acting: Acting, request: Write, made: Made): Promise<Made> {
  const command = COMMANDS[request.tool];
  if (command === undefined) return {};
  const subject = request.subject === null ? null : (made[request.subject] ?? request.subject);
  return refusable(request.call, async () => {
    await lockSubject(ctx, tx, subject);
    const world = await worldOf(tx, ctx.scope, acting.person, subject);
    if (subject !== null && subjectOf(world, request.tool) !== subject) refuseOutdated(request.tool, subject);
    return (await command(ctx, tx, { ...acting.person, world }, { ...request, subject }, acting)) ?? {};
  });
}

/** Who reads this is the agent's model, or whoever takes the conversation over. */
function refuseOutdated(tool: string, subject: string): never {
  const detail = `${tool} was decided about ${subject}, which was closed, converted or replaced meanwhile. Nothing was changed: decide again, on what the person has now.`;
  fail("validation_failed", { detail });
}

/** Locks the record that something is about, which then stays as it is read next. */
export async function lockSubject(ctx: Context, tx: Tx, id: string | null): Promise<void> {
  if (id === null) return;
  const lock = isId("deal", id) ? lockDeal : isId("lead", id) ? lockLead : lockContact;
  await lock(ctx, tx, id);
}

const COMMANDS: Readonly<Record<string, Command>> = {
  async update_contact(ctx, tx, { world }, { args }) {
    checks.contact(args);
    await patchContact(ctx, tx, world, () => args);
  },
  async update_lead(ctx, tx, person, { args, call }) {
    const { reason, status, ...fields } = args as LeadPatch;
    const { lead } = person.world;
    const id = lead?.id ?? (await addLeadOf(ctx, tx, person, fields));
    const patch = { ...(lead === null ? {} : fields), ...(reason === undefined ? {} : { reason }) };
    await walkLead(ctx, tx, id, patch, status);
    return { [newLeadId(call)]: id };
  },
  async create_lead(ctx, tx, person, { args, call }) {
    return { [newLeadId(call)]: await addLeadOf(ctx, tx, person, args) };
  },
  async add_tag(ctx, tx, { world }, { args: { tag } }) {
    const tagged = ({ tags }: { tags: string[] }) => ({ tags: withTags(tags, [String(tag)]) });
    if (world.contact !== null) await patchContact(ctx, tx, world, tagged);
    else if (world.lead !== null) await patchLead(ctx, tx, world.lead.id, tagged);
    else refuseNobody();
  },
  async add_note(ctx, tx, { world }, { args: { text } }) {
    if (world.contact !== null) await notesOf(contactTimeline).add(ctx, tx, world.contact.id, String(text));
    else if (world.lead !== null) await notesOf(leadTimeline).add(ctx, tx, world.lead.id, String(text));
    else refuseNobody();
  },
  async create_deal(ctx, tx, { account_id, world }, { args, call }) {
    const input = { ...args, ...(world.contact === null ? {} : { contact_id: world.contact.id }) };
    checks.deal(input);
    const account = await accountForChange(ctx, tx, "deal", account_id);
    const lead = world.contact === null && world.lead !== null ? await lockLead(ctx, tx, world.lead.id) : null;
    const { id } = await addDeal(ctx, tx, account, input as DealCreate, lead);
    return { [newDealId(call)]: id };
  },
  async move_deal(ctx, tx, { account_id }, { args: { stage }, subject }) {
    const id = subject ?? fail("validation_failed", { detail: "The person has no open deal." });
    const deal = await lockDeal(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "deal", account_id);
    await moveDeal(ctx, tx, account, deal, { stage: String(stage) });
  },
  async create_payment_link(ctx, tx, { account_id, world }, { call, args }, { turn }) {
    const { amount_cents, description } = args as { amount_cents: number; description: string };
    const account = await accountForChange(ctx, tx, "contact", account_id);
    const terms = { amount_cents, description, conversation_id: turn.conversation_id, customer: payerOf(world) };
    const { id, url } = await addLink(ctx, tx, account, terms);
    return { [newLinkUrl(call)]: url, [newLinkId(call)]: id };
  },
  async schedule_follow_up(ctx, tx, _person, { args: { minutes, text } }, { turn }) {
    const run_at = new Date(tx.now.getTime() + Number(minutes) * 60_000);
    await enqueueFollowUp(tx, ctx.scope, turn, run_at, String(text));
  },
};

/** Whoever is no contact yet is only on the link: a lead becomes a contact when somebody converts it. */
function payerOf({ contact, lead }: World): string | { name?: string; email?: string } {
  if (contact !== null) return contact.id;
  const { name, email }: Record<string, unknown> = lead ?? refuseNobody();
  return { ...(typeof name === "string" && { name }), ...(typeof email === "string" && { email }) };
}

const refuseNobody = (): never => fail("validation_failed", { detail: "The conversation has no person." });

async function patchContact(
  ctx: Context,
  tx: Tx,
  { contact }: World,
  patch: (before: { tags: string[] }) => object,
): Promise<void> {
  const id = contact?.id ?? fail("validation_failed", { detail: "The person is no contact." });
  const before = await lockContact(ctx, tx, id);
  const account = await accountForChange(ctx, tx, "contact", before.account_id);
  await changeContact(ctx, tx, account, before, patch(before) as ContactPatch);
}

async function patchLead(ctx: Context, tx: Tx, id: string, patch: (before: Lead) => LeadPatch): Promise<void> {
  const before = await lockLead(ctx, tx, id);
  const account = await accountForChange(ctx, tx, "lead", before.account_id);
  await changeLead(ctx, tx, account, before, patch(before));
}

/** Changes a lead, and takes it to a status step by step. */
export async function walkLead(ctx: Context, tx: Tx, id: string, patch: LeadPatch, status: LeadPatch["status"]): Promise<void> {
  const { reason, ...fields } = patch;
  if (Object.keys(fields).length > 0) checks.lead(fields);
  const before = await lockLead(ctx, tx, id);
  const way = status === undefined ? [] : (wayBetween(before.status, status) ?? [status]);
  if (Object.keys(fields).length > 0) await patchLead(ctx, tx, id, () => fields);
  for (const [index, next] of way.entries()) {
    const last = index === way.length - 1;
    await patchLead(ctx, tx, id, () => ({ status: next, ...(last && reason !== undefined ? { reason } : {}) }) as LeadPatch);
  }
}

/** Makes a lead of the contact, and gives its id. */
async function addLeadOf(ctx: Context, tx: Tx, { account_id, world }: Person, fields: object): Promise<string> {
  if (world.lead !== null) fail("duplicate_lead", { meta: { existing_id: world.lead.id } });
  const { name, phone, email, company }: Record<string, unknown> = world.contact ?? {};
  const known = Object.entries({ name, phone, email, company }).filter(([, value]) => value !== null && value !== undefined);
  const input = { ...Object.fromEntries(known), source: { kind: "chat" }, ...fields };
  checks.new_lead(input);
  const account = await accountForChange(ctx, tx, "lead", account_id);
  const lead = await addLead(ctx, tx, account, input as LeadCreate);
  return lead?.id ?? fail("duplicate_lead", { detail: "Another lead has the phone or the e-mail address." });
}
