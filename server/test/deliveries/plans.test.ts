import pg from "pg";
import { expect, test } from "vitest";
import { dueLanes } from "../../src/features/outbox/webhooks/delivery/lanes.queries.ts";
import {
  dueDeliveries,
  dueInOrder,
  finishDeliveries,
  waitingDeliveries,
} from "../../src/features/outbox/webhooks/delivery/queries.ts";
import { idRange } from "../../src/features/outbox/webhooks/delivery/window.ts";
import { newId } from "../../src/kernel/ids.ts";
import { withIndexOrder } from "../../src/platform/db/connection.ts";
import type { Queryable, Statement } from "../../src/platform/db/statement.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { changesOf } from "../harness/outbox.ts";
import { onCluster } from "../harness/reads.ts";

const stage = useDeliveryStage();

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Cond"?: string;
  Plans?: Node[];
};

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plans that the engine's connections choose for the statements that are asked. */
async function plansOf(ask: (db: Queryable) => Promise<unknown>): Promise<Node[][]> {
  const client = new pg.Client(withIndexOrder(stage.db.service));
  await client.connect();
  const plans: Node[][] = [];
  const explaining: Queryable = {
    async query<Row>({ text }: Statement) {
      const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Node }] }>(`explain (format json, generic_plan) ${text}`);
      for (const row of rows) plans.push(nodesOf(row["QUERY PLAN"][0].Plan));
      // As many as a poll reads, so that it goes on as with a backlog.
      return text.includes("ten times a second") ? Array.from({ length: 500 }, () => ({}) as Row) : [];
    },
  };
  await ask(explaining).finally(() => client.end());
  return plans;
}

test.skipIf(onCluster()).each(["before", "after"])(
  "outcomes are written by the keys of their deliveries alone, planned %s there are statistics",
  async (when) => {
    const endpoint = await stage.newEndpoint(`/planned/${when}`);
    await stage.publish(changesOf(2_000, ["a", "b"]), { endpoints: [endpoint.id] });
    if (when === "after") await stage.db.sql("analyze deliveries");
    const at = stage.clock.now();
    const ended = { status: "succeeded", next_at: at, started_at: at, duration_ms: 1, response_status: 200 } as const;
    const outcome = {
      endpoint_id: endpoint.id,
      epoch: 1,
      id: "dlv_1",
      ...ended,
      error: null,
      response: null,
      request_headers: null,
    };
    const [plan = []] = await plansOf((db) => finishDeliveries(db, stage.partner_id, "worker", [outcome]));
    const scans = plan.filter((node) => node["Relation Name"]?.startsWith("deliveries") && /Scan/.test(node["Node Type"]));
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan["Index Cond"]).toMatch(/\(id = (ANY|\(?o)/);
  },
);

test.skipIf(onCluster())(
  "a backlog is neither sorted nor read through to find what is next, also when the statistics know of it",
  async () => {
    const endpoints = await Promise.all([1, 2, 3].map((number) => stage.newEndpoint(`/backlog/${number}`)));
    const ids = endpoints.map(({ id }) => id);
    for (let batch = 0; batch < 3; batch += 1) await stage.publish(changesOf(2_000, ["a", "b"]), { endpoints: ids });
    await stage.publish(changesOf(2_000, ["a", "b"]), { endpoints: ids, replay_id: newId("replay", Date.now()) });
    await stage.db.sql("analyze deliveries");
    const now = stage.clock.now();
    const range = idRange(now, "recent");
    const plans = await plansOf(async (db) => {
      await dueLanes(db, now, { live: range, replayed: range }, null);
      await dueLanes(db, now, { live: range, replayed: range }, stage.partner_id);
      await dueDeliveries(
        db,
        stage.partner_id,
        ids.map((endpoint_id) => ({ endpoint_id, room: 200, replay_room: 32 })),
        now,
        range,
      );
      await waitingDeliveries(db, stage.partner_id, ids, now, range.before_id, 1_000);
      const rooms = ids.map((endpoint_id) => ({ endpoint_id, room: 400, read_max: 1_000, without: [] }));
      for (const replayed of [false, true])
        await dueInOrder(db, stage.partner_id, rooms, { replayed, now, before_id: range.before_id });
    });
    expect(plans).toHaveLength(10);
    const nodes = plans.flat();
    // What was read within a limit may be sorted.
    const isBounded = ({ Plans = [] }: Node): boolean =>
      Plans.length > 0 && Plans.every((node) => node["Node Type"] === "Limit" || isBounded(node));
    const dear = nodes.filter((node) => /Sort|Seq Scan|Bitmap/.test(node["Node Type"]) && !isBounded(node));
    expect(dear.map((node) => node["Node Type"])).toEqual([]);
    // Nor is what waits for other endpoints, or of the other kind.
    for (const [plan, kind] of [
      [plans.at(-2), "replay_id IS NULL"],
      [plans.at(-1), "replay_id IS NOT NULL"],
    ] as const) {
      const scans = (plan ?? []).filter((node) => node["Relation Name"]?.startsWith("deliveries"));
      expect(scans.length).toBeGreaterThan(0);
      for (const scan of scans) {
        expect(scan["Index Cond"]).toContain("endpoint_id = w.endpoint_id");
        expect(scan["Index Cond"]).toContain(kind);
      }
    }
  },
);
