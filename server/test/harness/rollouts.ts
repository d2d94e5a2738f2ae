import { expect } from "vitest";
import { nextRollouts, workRollout } from "../../src/features/snapshots/rollouts/index.ts";
import { BASE, GENERAL, type Json, type Reply, type TestPartner, type World } from "./world.ts";

type Assets = { type: string; key: string; spec: object }[];

/** A manifest with a field of deals, a tag, and a pipeline that asks for the field. */
export function assetsOf(version: number): Assets {
  const stage = (key: string, type: string, more: object = {}) => ({ key, name: `${key} v${version}`, type, ...more });
  return [
    { type: "custom_field", key: "deal.budget", spec: { label: `Budget v${version}`, type: "number" } },
    { type: "tag", key: "vip", spec: { name: "VIP", description: `v${version}` } },
    {
      type: "pipeline",
      key: "renewals",
      spec: {
        name: "Renewals",
        stages: [stage("due", "open", { required_fields: ["custom.budget"] }), stage("kept", "won"), stage("gone", "lost")],
      },
    },
  ];
}

/** The same among forty assets. */
export function fleetAssets(version: number): Assets {
  const many = (count: number, make: (index: number) => Assets[number]) =>
    Array.from({ length: count }, (_, index) => make(index));
  const stage = (key: string, type: string) => ({ key, name: `${key} v${version}`, type });
  return [
    ...assetsOf(version),
    ...many(19, (n) => ({
      type: "custom_field",
      key: `deal.field_${n}`,
      spec: { label: `Field ${n} v${version}`, type: "number" },
    })),
    ...many(9, (n) => ({ type: "tag", key: `tag_${n}`, spec: { name: `Tag ${n}`, description: `v${version}` } })),
    ...many(6, (n) => ({
      type: "message_template",
      key: `text_${n}`,
      spec: { name: `Text ${n}`, channel: "sms", text: `Hello {{contact.name}}, v${version}.` },
    })),
    ...many(3, (n) => ({
      type: "pipeline",
      key: `sales_${n}`,
      spec: { name: `Sales ${n}`, stages: [stage("new", "open"), stage("won", "won"), stage("lost", "lost")] },
    })),
  ];
}

/** Rollouts of one world that nobody works on but the tests themselves, batch by batch. */
export function rolloutsOf(world: World) {
  const errors: unknown[] = [];
  const post = ({ key }: { key: string }, path: string, body?: object): Promise<Reply> =>
    world.call("POST", `${BASE}${path}`, { key, ...(body === undefined ? {} : { body }) });

  /** The next batch of the partner's rollout that has waited longest. */
  async function step({ partner_id }: TestPartner): Promise<boolean> {
    const next = (await nextRollouts(world.app.services.db)).find((one) => one.partner_id === partner_id);
    return next !== undefined && workRollout(world.app.services, next, (error) => errors.push(error));
  }

  return {
    /** What failed unexpectedly. */
    errors,
    post,
    step,
    /** Works until nothing is left to do. */
    async work(partner: TestPartner): Promise<void> {
      while (await step(partner));
    },
    /** A partner with clients, and a snapshot that none of them runs yet. */
    async newScene(clients: number): Promise<{ here: TestPartner; clients: string[]; snapshot_id: string }> {
      const here = await world.newPartner();
      const ids: string[] = [];
      for (let index = 0; index < clients; index += 1) ids.push((await world.newClient(here)).id);
      const { status, body, text } = await post(here, "/snapshots", {
        name: "Starter",
        manifest: { format: 1, assets: assetsOf(1) },
      });
      expect(status, text).toBe(201);
      return { here, clients: ids, snapshot_id: body.id };
    },
    async newVersion(here: TestPartner, snapshot_id: string, version: number): Promise<void> {
      const reply = await post(here, `/snapshots/${snapshot_id}/versions`, {
        manifest: { format: 1, assets: assetsOf(version) },
      });
      expect(reply.status, reply.text).toBe(201);
    },
    async start(here: { key: string }, snapshot_id: string, body: object = {}): Promise<Json> {
      const reply = await post(here, `/snapshots/${snapshot_id}/rollouts`, { target: "all", ...body });
      expect(reply.status, reply.text).toBe(202);
      return reply.body;
    },
    async act(here: { key: string }, id: string, action: string, body?: object): Promise<Json> {
      const reply = await post(here, `/rollouts/${id}/${action}`, body);
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body;
    },
    async get({ key }: { key: string }, id: string): Promise<Json> {
      return (await world.call("GET", `${BASE}/rollouts/${id}`, { key })).body;
    },
    async members({ key }: { key: string }, id: string, query = ""): Promise<Json[]> {
      return (await world.call("GET", `${BASE}/rollouts/${id}/deployments?limit=100${query}`, { key })).body.data;
    },
    configuration: ({ key }: { key: string }, account_id: string) => configurationOf(world, key, account_id),
    /** Makes an account that refuses the snapshot under the policy `fail`: its field of the same name is another. */
    async obstruct({ key }: { key: string }, account_id: string): Promise<void> {
      const body = { resource: "deal", key: "budget", label: "Our budget", type: "text", account_id };
      expect((await world.call("POST", `${GENERAL}/custom-fields`, { key, body })).status).toBe(201);
    },
  };
}

/** The configuration that an account has of the snapshot: the label of its field, and the stages of its pipeline. */
async function configurationOf(world: World, key: string, account_id: string) {
  const get = async (path: string) => (await world.call("GET", `${GENERAL}${path}`, { key })).body.data as Json[];
  const fields = await get(`/custom-fields?account_id=${account_id}&resource=deal`);
  const pipelines = await get(`/pipelines?account_id=${account_id}`);
  return {
    label: fields.find(({ key: name, archived }) => name === "budget" && !archived)?.label ?? null,
    stages: pipelines.find(({ name }) => name === "Renewals")?.stages.map(({ name }: Json) => name) ?? null,
  };
}

/** The counts of a rollout sum to its total. */
export function expectSum({ counts, total }: Json): void {
  expect(Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(total);
}
