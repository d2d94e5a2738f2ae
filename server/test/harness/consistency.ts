import type { TestDatabase } from "./database.ts";

/**
 * Clients whose versions, events and audit entries do not tell the same story: each version was made by one change,
 * which left exactly one audit entry of its kind, and exactly one event where its kind has one. What a new client begins with is
 * deployed at its first version. One statement, so that
 * it sees one state of the database, whatever is being written meanwhile.
 */
const UNEQUAL_STORIES = `
  with told as (
    select partner_id, subject as id,
      count(*) filter (where type = 'client.created') as created,
      count(*) filter (where type = 'client.activated' and subject_version = 1) as born_active,
      count(*) filter (where type = 'client.activated' and subject_version > 1) as activated,
      count(*) filter (where type = 'client.suspended') as suspended,
      count(*) filter (where type = 'client.churned') as churned,
      count(*) filter (where type = 'snapshot.deployed') as deployed,
      count(*) filter (where type = 'snapshot.deployed' and subject_version > 1) as redeployed,
      count(distinct subject_version) as versions,
      max(subject_version) as newest
    from event_feed where type like 'client.%' or type = 'snapshot.deployed' and subject like 'cli%' group by 1, 2
  ), audited as (
    select partner_id, client_id as id,
      count(*) filter (where action = 'clients.create') as created,
      count(*) filter (where action = 'clients.update') as updated,
      count(*) filter (where action in ('clients.activate', 'clients.reactivate')) as activated,
      count(*) filter (where action = 'clients.suspend') as suspended,
      count(*) filter (where action = 'clients.churn') as churned,
      count(*) filter (where action in ('snapshots.deploy', 'snapshots.rollback')) as deployed
    from audit_entries
    where outcome = 'success' and action in ('clients.create', 'clients.update', 'clients.activate', 'clients.reactivate',
      'clients.suspend', 'clients.churn', 'snapshots.deploy', 'snapshots.rollback')
    group by 1, 2
  )
  select coalesce(c.id, t.id, a.id) as id, to_json(c) as client, to_json(t) as told, to_json(a) as audited
  from (select partner_id, id, status, version from clients where not house) c
    full join told t using (partner_id, id)
    full join audited a using (partner_id, id)
  where (
    t.created = 1 and a.created = 1 and t.born_active <= 1
    and t.activated = a.activated and t.suspended = a.suspended and t.churned = a.churned
    and t.deployed = a.deployed
    and t.versions = 1 + t.activated + t.suspended + t.churned + t.redeployed
    and t.newest <= c.version
    and c.version = t.versions + a.updated
  ) is not true`;

/** Events without a place, places without an event. */
const UNPAIRED_EVENTS = `
  select coalesce(e.id, f.event_id) as id
  from events e full join event_feed f on f.partner_id = e.partner_id and f.event_id = e.id
  where e.id is null or f.event_id is null`;

/** Events that an endpoint of all clients wants and that are not queued for it, or twice; and what is queued without its event. */
const UNQUEUED_EVENTS = `
  select event_id as id, count(*)
  from (
    select f.partner_id, f.event_id, w.id as endpoint_id
    from event_feed f join webhook_endpoints w on w.partner_id = f.partner_id and w.event_types && array[f.type, '*']
    where w.enabled and w.client_ids is null and f.event_id >= first_id_at('evt', w.created_at)
  ) wanted full join deliveries d using (partner_id, event_id, endpoint_id)
  group by event_id, endpoint_id, wanted.event_id, d.event_id
  having count(*) <> 1 or wanted.event_id is null or d.event_id is null`;

/** Stored replies of creations whose client is not there. */
const REPLIES_WITHOUT_EFFECT = `
  select r.key as id
  from idempotency_replies r
  where r.headers ->> 'location' like '%/clients/%' and not exists (
    select 1 from clients c where c.partner_id = r.partner_id and r.headers ->> 'location' = '/v1/partners/clients/' || c.id)`;

/** Clients without their partner, movements without their client: no foreign key watches over them. */
const ORPHANS = `
  select c.id from clients c left join partners p on p.id = c.partner_id where p.id is null
  union all
  select m.client_id from client_movements m left join clients c on c.partner_id = m.partner_id and c.id = m.client_id where c.id is null`;

/** Whatever in the database is there by half. Empty when every change is wholly there or not at all. */
export async function halfChanges(sql: TestDatabase["sql"]): Promise<object[]> {
  const found: object[] = [];
  for (const text of [UNEQUAL_STORIES, UNPAIRED_EVENTS, UNQUEUED_EVENTS, REPLIES_WITHOUT_EFFECT, ORPHANS])
    found.push(...(await sql(text)));
  return found;
}
