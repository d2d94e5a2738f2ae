import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maintenanceJobs } from "../../src/platform/jobs/maintenance.ts";
import type { Services } from "../../src/platform/record/context.ts";
import { FEATURES } from "../../src/surfaces/features.ts";
import { useCluster } from "../harness/cluster.ts";
import { ADMIN, type Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const cluster = useCluster(3);
let service: pg.Client;

beforeAll(async () => {
  service = new pg.Client(cluster.db.service);
  await service.connect();
  await eventually("the job worker to listen", async () => {
    const rows = await cluster.db.sql(
      "select 1 from pg_stat_activity where application_name = 'tributary jobs' and usename = $1",
      [cluster.db.service.user],
    );
    return rows.length >= 3 || null;
  });
});
afterAll(() => service.end());

async function outcome(text: string): Promise<string> {
  try {
    await service.query(text);
    return "done";
  } catch (error) {
    return (error as pg.DatabaseError).code ?? "unknown";
  }
}

test("a job is run once, by one of the processes that booted together, and all of them tell of it", async () => {
  for (let runs = 1; runs <= 3; runs += 1) {
    await service.query("select graphile_worker.add_job('partitions')");
    await eventually("the job to have run", async () => {
      const [row] = await cluster.db.sql<{ runs: string }>(
        "select runs from job_runs where name = 'partitions' and outcome is not null",
      );
      return Number(row?.runs) === runs || null;
    });
  }
  for (const process of cluster.services) {
    const { body } = await process.call("GET", `${ADMIN}/health`, { key: cluster.operator_key });
    const job = body.jobs.find(({ name }: Json) => name === "partitions");
    expect(job).toMatchObject({ runs: 3, failures: 0, last_error: null });
  }
  const counted = await Promise.all(
    cluster.services.map(async (process) => {
      const { text } = await process.call("GET", "/metrics", { key: cluster.operator_key });
      return Number(/tributary_jobs_runs_total\{job="partitions",outcome="success"\} (\d+)/.exec(text)?.[1] ?? 0);
    }),
  );
  expect(counted.reduce((sum, count) => sum + count)).toBe(3);
});

test("a queue is released if the session that announces its pool is gone, and not before", async () => {
  const living = new pg.Client(cluster.db.service);
  await living.connect();
  await living.query("select pg_advisory_lock(hashtextextended('pool-living', 6))");
  for (const queue of ["dead", "living"]) {
    await service.query("select graphile_worker.add_job('sessions', queue_name := $1)", [queue]);
    await service.query(
      `update graphile_worker._private_job_queues set locked_by = 'pool-' || queue_name, locked_at = now() - interval '1 hour'
       where queue_name = $1`,
      [queue],
    );
  }
  const holders = async () => {
    const { rows } = await service.query<{ queue_name: string; locked_by: string | null }>(
      "select queue_name, locked_by from graphile_worker._private_job_queues where queue_name in ('dead', 'living') order by 1",
    );
    return Object.fromEntries(rows.map(({ queue_name, locked_by }) => [queue_name, locked_by]));
  };
  await expect.poll(holders).toEqual({ dead: null, living: "pool-living" });
  await living.end();
  await expect.poll(holders).toEqual({ dead: null, living: null });
});

test("the end of a job that cannot be written is written later", async () => {
  const user = pg.escapeIdentifier(cluster.db.service.user);
  await cluster.db.sql(`revoke delete on graphile_worker._private_jobs from ${user}`);
  await service.query("select graphile_worker.add_job('click_retention', queue_name := 'unwritten')");
  const held = async () => {
    const { rows } = await service.query<{ held: boolean }>(
      `select q.locked_by is not null as held from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id
       where q.queue_name = 'unwritten'`,
    );
    return rows;
  };
  await eventually("the job to have run", async () => {
    const rows = await cluster.db.sql("select 1 from job_runs where name = 'click_retention' and outcome is not null");
    return rows.length > 0 || null;
  });
  expect(await held()).toEqual([{ held: true }]);
  await cluster.db.sql(`grant delete on graphile_worker._private_jobs to ${user}`);
  await expect.poll(held).toEqual([]);
});

test("every job is on the schedule", async () => {
  const rows = await cluster.db.sql("select identifier from graphile_worker._private_known_crontabs order by 1");
  const jobs = [...maintenanceJobs("03:20"), ...FEATURES.flatMap((feature) => feature.jobs?.({} as Services, "03:20") ?? [])];
  expect(rows.map(({ identifier }) => identifier)).toEqual(jobs.map(({ name }) => name).toSorted());
});

describe("with the rights that jobs take, the service's login", () => {
  test.each(["events", "audit_entries"])("still cannot change, remove or drop %s", async (table) => {
    const [partition] = await cluster.db.sql<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1 limit 1",
      [table],
    );
    for (const name of [table, partition?.name]) {
      for (const text of [
        `update ${name} set body = 'forged'`,
        `delete from ${name}`,
        `truncate ${name}`,
        `drop table ${name}`,
      ]) {
        expect([text, await outcome(text)]).toEqual([text, "42501"]);
      }
    }
  });

  test("makes nothing in the jobs' schema and does not change what it is", async () => {
    for (const text of [
      "create table graphile_worker.shadow (id int)",
      "create or replace function graphile_worker.add_job() returns int language sql return 1",
      "delete from graphile_worker.migrations",
      "alter table graphile_worker._private_jobs disable row level security",
      "drop schema graphile_worker cascade",
    ]) {
      expect([text, await outcome(text)]).toEqual([text, "42501"]);
    }
  });
});
