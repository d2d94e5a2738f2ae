import { notFound } from "../../../kernel/errors.ts";
import { listIdentity } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { OperatorPayout, type OperatorPayoutListQuery, Payout, type PayoutListQuery } from "./schema.ts";

export type Audience = "partner" | "operator";

/** A member of the last attempt of a payout `c`. */
const ofAttempt = (partner_id: string, column: string, attempt = "c.attempt") =>
  `(select a.${column} from payout_attempts a where a.partner_id = ${partner_id} and a.payout_id = c.id and a.attempt = ${attempt})`;

/** Reads a column of the last attempt. */
type OfAttempt = (column: string) => string;

const members = (last: OfAttempt) => ({
  statement_number: "'S-' || lpad(c.statement_seq::text, greatest(6, length(c.statement_seq::text)), '0')",
  method: last("kind"),
  method_hint: last("hint"),
  failure: `case when c.status = 'failed' then ${last("failure")} end`,
});
const ofOperator = (last: OfAttempt) => ({
  ...members(last),
  partner_company: "(select p.company from partners p where p.id = c.partner_id)",
  export_id: last("export_id"),
});

const ofPartner: OfAttempt = (column) => ofAttempt("$1", column);

const PAYOUT_JSON: Record<Audience, string> = {
  partner: rowJson(Payout, members(ofPartner)),
  operator: rowJson(OperatorPayout, ofOperator(ofPartner)),
};

function conditionsOf(filter: PayoutListQuery & { run_id?: string }, place: Place): string[] {
  const { status, currency, run_id } = filter;
  return [
    ...createdWithin("payout", filter, place),
    ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
    ...(currency === undefined ? [] : [`c.currency = ${place(currency)}`]),
    ...(run_id === undefined ? [] : [`c.run_id = ${place(run_id)}`]),
  ];
}

/** A page of the payouts of a partner, newest first. */
export function payoutsPage(
  db: Queryable,
  partner_id: string,
  audience: Audience,
  query: PayoutListQuery & { run_id?: string },
): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const list = listIdentity("payouts", filter);
  const shown = { list, table: "payouts", json: PAYOUT_JSON[audience], sort: byCreation(true) };
  return keysetPage(db, partner_id, { ...shown, conditions: (place) => conditionsOf(filter, place) }, query);
}

/** All partners: the operator's list; once per page that a person opens. */
export function allPayoutsPage(db: Queryable, { partner_id, ...query }: OperatorPayoutListQuery): Promise<{ json: string }> {
  if (partner_id !== undefined) return payoutsPage(db, partner_id, "operator", query);
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("all-payouts", filter),
      table: "payouts",
      all_partners: true,
      columns: ["kind", "hint", "failure", "export_id"].map((column) => `${ofAttempt("c.partner_id", column)} as last_${column}`),
      json: rowJson(
        OperatorPayout,
        ofOperator((column) => `c.last_${column}`),
      ),
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

const forEach = (text: (audience: Audience) => string): Record<Audience, ReturnType<typeof statement>> => ({
  partner: statement(text("partner")),
  operator: statement(text("operator")),
});

const byId = forEach(
  (audience) => `
  select c.version, ${PAYOUT_JSON[audience]} as json,
    (select coalesce(json_agg(json_build_object('attempt', a.attempt, 'method', a.kind, 'method_hint', a.hint, 'failure', a.failure,
      'started_at', wire_time(a.started_at), 'ended_at', wire_time(a.ended_at)) order by a.attempt), '[]')
     from payout_attempts a where a.partner_id = $1 and a.payout_id = $2)::text as attempts
  from payouts c where c.partner_id = $1 and c.id = $2`,
);

/** A payout with its attempts. */
export async function payoutDetail(db: Queryable, partner_id: string, audience: Audience, id: string) {
  const [row] = await db.query<{ version: number; json: string; attempts: string }>(byId[audience], [partner_id, id]);
  if (row === undefined) notFound(id);
  return { version: row.version, json: `${row.json.slice(0, -1)},"attempts":${row.attempts}}` };
}
