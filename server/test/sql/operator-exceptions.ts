import type { Exception } from "./exceptions.ts";

/** Statements over all partners that an operator asks for. */
export const OPERATOR_EXCEPTIONS: readonly Exception[] = [
  {
    rule: "partner",
    begins: "select actor_id, key, body from idempotency_replies where sealed",
    why: "doctor opens one sealed reply of anybody's to see that the secret key fits",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select endpoint_id, secret from webhook_secrets",
    why: "doctor opens one sealed secret of anybody's to see that the secret key fits",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select count(*)::int as count, min(w.event_id) as oldest from (select f.event_id from event_feed",
    why: "doctor counts the events that wait for the sequencer",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select count(*) filter (where l.owner is not null)::int as endpoints_held",
    why: "the health page counts the endpoints that are held or degraded",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select count(*)::int as pending, min(d.id) as oldest from (select d.id from deliveries",
    why: "the health page counts the deliveries that are pending",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select r.partner_id from registrations r where r.deal_id = $1",
    why: "the operator decides on the registration of a deal without naming its partner",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select c.id, null as key, (select row_to_json(x)::text from (select c.deal_id as deal_id",
    why: "the operator lists the registrations of all partners",
    runs: "on request of an operator",
    composed: true,
  },
  {
    rule: "partner",
    begins: "select a.id, left(left(coalesce(overlay(convert_from(a.body, 'UTF8')",
    why: "the operator reads the audit logs of all partners as one",
    runs: "on request of an operator",
    composed: true,
  },
  {
    rule: "partner",
    begins: "select (select count(*) from (select from ",
    why: "tributary status counts the clients and events of all partners, up to a limit",
    runs: "on request of an operator",
    composed: true,
  },
  {
    rule: "partner",
    begins: "select max(f.id) as id from ( (select f.id from clients l cross join lateral",
    why: "how far the audit logs of all partners were searched for the operator",
    runs: "on request of an operator",
    composed: true,
  },
  {
    rule: "partner",
    begins: "with counted as ( select c.status, c.currency, count(*) as clients",
    why: "the overview of the operator counts the clients of all partners",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "with largest as ( select c.partner_id, count(*) as clients",
    why: "the overview of the operator finds the largest partners",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select json_build_object('waiting', (select count(*) from (select r.deal_id as id",
    why: "the overview of the operator shows the registrations that wait",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select json_build_object('waiting', (select count(*) from (select u.id, u.partner_id, p.company as partner",
    why: "the overview of the operator shows the purchases that are due",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select coalesce(json_agg(json_build_object('endpoint_id', x.endpoint_id",
    why: "the overview of the operator shows the endpoints that fail",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select c.partner_id from commissions c where c.id = $1",
    why: "the operator names a commission without its partner",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select c.partner_id from charges c where c.id = $1",
    why: "the operator names a charge without its partner",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select k.partner_id from clients k where k.id = $1",
    why: "the operator names a client without its partner",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins:
      "select c.id, null as key, (select row_to_json(x)::text from (select c.id as id, c.partner_id as partner_id, (select p.company from partners p where p.id = c.partner_id) as partner_company",
    why: "the operator lists the commissions of all partners",
    runs: "on request of an operator",
    composed: true,
  },
  {
    rule: "partner",
    begins:
      "select c.id, (extract(epoch from c.charged_at) * 1000)::bigint as key, (select row_to_json(x)::text from (select c.id as id, c.partner_id as partner_id, c.external_id as external_id, c.client_id as client_id, c.client_company as client_company",
    why: "the operator lists the charges of all partners",
    runs: "on request of an operator",
    composed: true,
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.id, c.client_id, k.company as client_company",
    why: "the operator simulates a rule on the charges of all partners",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.currency, count(*)::int as count,",
    why: "the preview of a payout run sums what is due to all partners",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select b.partner_id, p.company, p.status, p.grade, b.payouts_held, b.hold_reason",
    why: "the preview of a payout run reads what decides whether partners are paid",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins: "select u.partner_id from snapshot_purchases u where u.id = $1",
    why: "the operator names a purchase without its partners",
    runs: "on request of an operator",
  },
  {
    rule: "partner",
    begins:
      "select c.id, null as key, (select row_to_json(x)::text from (select c.id as id, c.seller_partner_id as seller_partner_id, c.buyer_partner_id as buyer_partner_id",
    why: "the operator lists the purchases of all partners",
    runs: "on request of an operator",
    composed: true,
  },
];
