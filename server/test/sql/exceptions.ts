import { OPERATOR_EXCEPTIONS } from "./operator-exceptions.ts";
import type { Rule } from "./rules.ts";

export type Exception = {
  rule: Rule;
  /** The beginning of the statement, on one line and without comments. */
  begins: string;
  why: string;
  /** How often it runs. */
  runs: string;
  /** Composed when it is sent, so that no module has it when it is loaded. */
  composed?: true;
};

/** Statements over all partners that no partner's request waits for. */
export const EXCEPTIONS: readonly Exception[] = [
  ...OPERATOR_EXCEPTIONS,
  {
    rule: "partner",
    begins: "select 1 from clients c where c.partner_id = any ($1) limit 1",
    why: "a poll finds out whether a node of a cluster answers, by the partners that it has",
    runs: "every 5 s per worker while a node is down",
  },
  {
    rule: "partner",
    begins: "select partner_id from feed_heads where partner_id > $1",
    why: "retention goes from partner to partner",
    runs: "daily, once per 1,000 partners",
  },
  {
    rule: "partner",
    begins: "select partner_id from change_heads where partner_id > $1",
    why: "retention goes from partner to partner",
    runs: "daily, once per 1,000 partners",
  },
  {
    rule: "partner",
    begins: "insert into audit_leaves select partner_id, id, leaf_hash from audit_entries_",
    why: "retention keeps the leaf hashes of a month of entries before it drops their partition",
    runs: "monthly, once per partition",
    composed: true,
  },
  {
    rule: "partner",
    begins: "select partner_id, actor_id, key from idempotency_replies where created_at <",
    why: "retention finds the oldest replies of all partners",
    runs: "hourly, in batches",
  },
  {
    rule: "partner",
    begins: "select distinct v.partner_id, to_char(v.day, 'YYYY-MM-DD') as day from link_visitors v",
    why: "the job finds the days of visitors that are over",
    runs: "daily",
  },
  {
    rule: "partner",
    begins: "select distinct c.partner_id, c.import_id from import_chunks c",
    why: "retention finds chunks of files that never became an import",
    runs: "daily",
  },
  {
    rule: "partner",
    begins: "select distinct partner_id from event_feed where seq is null",
    why: "the sequencer finds partners with events that have no position yet",
    runs: "every 500 ms per worker",
  },
  {
    rule: "partner",
    begins: "select distinct partner_id from change_feed where seq is null",
    why: "the sequencer finds partners with changes that have no position yet",
    runs: "every 500 ms per worker",
  },
  {
    rule: "partner",
    begins: "select d.partner_id, d.endpoint_id, d.next_at from deliveries d",
    why: "a delivery worker finds endpoints with due deliveries",
    runs: "every 100 ms per worker",
  },
  {
    rule: "partner",
    begins: "select l.partner_id, l.endpoint_id, d.next_at from webhook_lanes l cross join lateral",
    why: "a delivery worker finds endpoints with due deliveries while there is a backlog",
    runs: "every 100 ms per worker, instead of the statement above",
  },
  {
    rule: "partner",
    begins: "update lead_scoring set rescored_to = '' where rescored_to is null and rules @?",
    why: "the scoring job marks accounts whose rules depend on the age of a lead",
    runs: "daily",
  },
  {
    rule: "partner",
    begins: "select partner_id, array_agg(id) as ids from ( select partner_id, id from contacts where deleted_at",
    why: "retention finds deleted contacts that are due for erasure",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "select partner_id, array_agg(id) as ids from ( select partner_id, id from contact_merges where created_at",
    why: "retention finds the merges of all partners that can no longer be undone",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "select partner_id, array_agg(id) as ids from ( (select partner_id, id from leads where deleted_at",
    why: "retention finds deleted leads that are due for erasure",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "select d.partner_id, d.id from leads l join deals d on d.partner_id = l.partner_id and d.lead_id = l.id",
    why: "retention finds deals of erased leads",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "(select d.partner_id, d.id from deals d where d.deleted_at <",
    why: "retention finds deals that are due for erasure",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "select partner_id, id from imports where finished_at <",
    why: "retention finds finished imports whose files are due for deletion",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "select n.partner_id, n.id, n.status, n.worked_for from ( select distinct on (c.partner_id) c.partner_id",
    why: "workers find the rollout of each partner that has waited longest, by a partial index of those in progress",
    runs: "every 250 ms by each of two lanes of a worker, and after each batch",
  },
  {
    rule: "partner",
    begins: "select distinct d.partner_id from deployments d where d.status = 'queued' and d.rollout_id is null",
    why: "workers find new clients whose snapshots are yet to be deployed, by a partial index of those",
    runs: "every 250 ms by each of two lanes of a worker, and after each batch",
  },
  {
    rule: "partner",
    begins:
      "(select t.partner_id, t.id, t.agent_id, t.conversation_id, t.approval_id from agent_turns t where t.state = 'queued'",
    why: "workers find turns of agents that are due, and those that a worker left behind, by partial indexes of what waits and what runs",
    runs: "every 250 ms per worker",
  },
  {
    rule: "partner",
    begins:
      "select c.partner_id, c.id, c.account_id, c.url, c.etag, c.last_modified from knowledge_sources c where c.next_fetch_at <=",
    why: "a job finds the pages that are due, by a partial index of when",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.id from sandbox_runs c where c.created_at <",
    why: "retention finds runs of the sandbox that are old enough to go",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.id from sandbox_runs c where c.status = 'running'",
    why: "the job finds runs of the sandbox whose process has ended, by a partial index of what runs",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.id from agent_test_runs c where c.created_at <",
    why: "retention finds runs of tests that are old enough to go",
    runs: "daily, in batches",
  },
  {
    rule: "partner",
    begins:
      "select n.partner_id, n.id from ( select distinct on (c.partner_id) c.partner_id, c.id, c.created_at from agent_test_runs c",
    why: "the worker finds the next run of tests of each partner, by a partial index of what waits and runs",
    runs: "every 250 ms per worker",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.conversation_id from agent_sessions c where c.status in ('active', 'waiting')",
    why: "the job finds sessions that have waited too long for the person",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.id from tool_approvals c where c.status = 'pending'",
    why: "a job ends approvals that nobody has decided on in time, by a partial index of what waits",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select n.partner_id, n.id from ( select distinct on (partner_id) partner_id, id, worked_at from imports",
    why: "the import worker finds the next import of each partner",
    runs: "every 250 ms per worker",
  },
  {
    rule: "partner",
    begins: "select r.partner_id, r.deal_id from registrations r where r.outcome is null",
    why: "the expiry job finds registrations whose protection has ended",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select partner_id, account_id from lead_scoring where rescored_to is not null",
    why: "the scoring job finds accounts whose rules have changed",
    runs: "every 5 minutes and daily",
  },
  {
    rule: "partner",
    begins: "select r.partner_id, r.id from webhook_replays r join webhook_endpoints w",
    why: "the replay loop finds replays that are running",
    runs: "every 500 ms per worker",
  },
  {
    rule: "partner",
    begins: "select l.endpoint_id, l.epoch, e.enabled, e.version,",
    why: "a delivery worker reads the lanes it owns, whichever partners they are of",
    runs: "every second per worker",
  },
  {
    rule: "partner",
    begins: "update webhook_lanes l set owner = null where l.owner = $1",
    why: "a delivery worker releases the lanes it owns, whichever partners they are of",
    runs: "once when a worker stops",
  },
  {
    rule: "partner",
    begins: "select g.partner_id, g.id from certification_grants g where g.ended_at is null and g.expires_at <= $1",
    why: "the expiry job finds certifications whose time is over",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, count(*)::int as active_clients from clients c where c.partner_id = any ($1)",
    why: "a partner sees how many active clients each partner below it has, of one page",
    runs: "once per page of sub-partners",
  },
  {
    rule: "partner",
    begins: "select c.partner_id from commissions c where c.status = 'pending' and c.hold_until <= $1",
    why: "the approval job finds partners with commissions whose hold is over",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select e.partner_id, e.deal_id from earnings e where e.ended_at is null and e.first_charge_id is null",
    why: "the job finds sales whose client was never charged",
    runs: "every 10 minutes",
  },
  {
    rule: "partner",
    begins: "select c.id, c.partner_id, c.house from clients c where c.id = any ($1)",
    why: "the operator reports charges by client alone",
    runs: "once per report of charges",
  },
  {
    rule: "partner",
    begins: "select b.partner_id from books b where b.partner_id > $1",
    why: "verification goes from book to book",
    runs: "on request of an operator, once per 100 books",
  },
  {
    rule: "partner",
    begins: "select b.partner_id, exists (select 1 from commissions c",
    why: "a payout run goes from book to book",
    runs: "once per 100 partners of a run",
  },
  {
    rule: "partner",
    begins: "select count(*)::int as count from books b",
    why: "a payout run counts the partners with something approved",
    runs: "once per run",
  },
  {
    rule: "partner",
    begins: "select p.partner_id, p.currency, p.net_cents from payouts p where p.run_id = $1",
    why: "a payout run sums what it has scheduled for the partners of a step",
    runs: "once per 100 partners of a run",
  },
  {
    rule: "partner",
    begins: "select distinct p.partner_id from payouts p where p.run_id = $1",
    why: "an export goes from partner to partner",
    runs: "once per 100 partners of an export",
  },
  {
    rule: "partner",
    begins: "select p.partner_id, p.id, a.attempt, a.method_id",
    why: "the file of an export contains payouts of all partners",
    runs: "once per export",
  },
  {
    rule: "partner",
    begins: "select p.id, p.partner_id from payouts p where p.id = any ($1)",
    why: "the operator names payouts without their partners",
    runs: "once per call of an operator",
  },
  {
    rule: "partner",
    begins: "select partner_id, id from conversations where status = 'snoozed' and snoozed_until <=",
    why: "a job finds the snoozes of all partners that are over",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins: "select partner_id, id from conversations where return_at <=",
    why: "a job finds the conversations of all partners that go back to their agents",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins: "select partner_id, array_agg(id) as ids from ( select partner_id, id from attachments",
    why: "retention finds files of all partners that no message uses",
    runs: "hourly, in batches",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, array_agg(distinct c.attachment_id) as ids from attachment_chunks c",
    why: "retention finds chunks of files whose upload was not completed",
    runs: "hourly",
  },
  {
    rule: "partner",
    begins: "select d.partner_id, d.channel_id, count(*)::int as due, bool_and(",
    why: "the sending engine finds channels with messages that are due, by the first 500 of an index",
    runs: "every 250 ms per worker",
  },
  {
    rule: "partner",
    begins: "select c.partner_id, c.id as channel_id, 500 as due from channels c",
    why: "the sending engine finds channels with messages that are due while there is a backlog",
    runs: "every 250 ms per worker, after the statement above when it has found 500",
  },
  {
    rule: "partner",
    begins: "select m.partner_id, m.channel_id from mailboxes m",
    why: "the reader of mailboxes finds those whose turn it is; the table has a row for each e-mail channel that reads one",
    runs: "every 5 s per worker",
  },
  {
    rule: "partner",
    begins: "select partner_id, link_id, at from payment_reminders where state = 'planned'",
    why: "a job finds the reminders of all partners whose time has come",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins: "delete from provider_events where handled_at < $1",
    why: "retention forgets what providers of all partners have told",
    runs: "daily",
  },
  {
    rule: "partner",
    begins: "select partner_id, id from payment_links where status in",
    why: "a job finds the payment links of all partners whose time is over",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins:
      "select c.partner_id, c.id, c.account_id, c.link_id, c.provider_id, c.provider_kind, c.provider_ref, c.redirect, c.amount_cents, c.tip_cents, c.currency, c.state, c.failure, c.payer, c.language, c.created_at from payment_attempts c where c.state in ('created', 'pending', 'processing', 'expiring') and",
    why: "the reconciler finds payments of all partners that nobody has told the end of",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins:
      "select c.partner_id, c.id, c.payment_id, c.amount_cents, c.reason, c.status from payment_refunds c where c.status = 'pending'",
    why: "the reconciler finds refunds of all partners that are not decided",
    runs: "every minute",
  },
  {
    rule: "partner",
    begins: "delete from parked_statuses p where p.created_at <",
    why: "retention deletes the reports of providers about messages that nobody knows",
    runs: "daily",
  },
];
