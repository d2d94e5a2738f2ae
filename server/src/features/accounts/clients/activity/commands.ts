import { notFound } from "../../../../kernel/errors.ts";
import { readableTypes } from "../../../../kernel/events.ts";
import { timeOfId } from "../../../../kernel/ids.ts";
import { listIdentity, pageOf } from "../../../../kernel/page.ts";
import { hasScope } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { EVENT_FEED, sequencePartner } from "../../../../platform/record/sequencer.ts";
import { clientOrNull } from "../queries.ts";
import { type ActivityRow, actionsBefore, eventsBefore } from "./queries.ts";
import type { ActivityQuery } from "./schema.ts";

/** Events and audit entries of a client, newest first. Events of resources that the key may not read are left out. */
export async function listActivity(ctx: Context, id: string, query: ActivityQuery): Promise<{ json: string }> {
  if ((await clientOrNull(ctx.db.byKey, ctx.scope, id)) === null) notFound(id);
  const paid = hasScope(ctx.principal, "billing:read");
  return pageOf(
    listIdentity("client-activity", { id }),
    query,
    ["string", "number"],
    async (position, limit) => {
      const [audit_id, seq] = (position ?? NEWEST) as Position;
      await sequencePartner(ctx.db, EVENT_FEED, ctx.scope.partner_id);
      const [actions, events] = await Promise.all([
        actionsBefore(ctx.db, ctx.scope, id, { before_id: audit_id, paid }, limit + 1),
        eventsBefore(ctx.db, ctx.scope, id, { types: readableTypes(ctx.principal), seq }, limit + 1),
      ]);
      return mergeRows(actions, events, [audit_id, seq]);
    },
    ({ position }) => position,
  );
}

/** The last row read of each list: audit entries by id, events by their position in the feed. */
type Position = [audit_id: string, seq: number];

const NEWEST: Position = ["aud_~", Number.MAX_SAFE_INTEGER];

/** Merges two lists by time, keeping the order of each. */
function mergeRows(actions: ActivityRow[], events: (ActivityRow & { seq: number })[], start: Position) {
  const rows: { json: string; position: Position }[] = [];
  let [audit_id, seq] = start;
  while (actions.length > 0 || events.length > 0) {
    const [action, event] = [actions[0], events[0]];
    const eventFirst = event !== undefined && (action === undefined || timeOfId(event.id) > timeOfId(action.id));
    if (eventFirst) seq = event.seq;
    else audit_id = action?.id ?? audit_id;
    const row = eventFirst ? events.shift() : actions.shift();
    if (row !== undefined) rows.push({ json: itemJson(row), position: [audit_id, seq] });
  }
  return rows;
}

function itemJson({ id, name, data }: ActivityRow): string {
  const type = id.startsWith("evt_") ? "event" : "audit";
  const head = JSON.stringify({ type, id, at: new Date(timeOfId(id)).toISOString(), name });
  return `${head.slice(0, -1)},"data":${data}}`;
}
