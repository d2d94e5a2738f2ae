import { BASE, GENERAL, type Json, type Reply, type TestPartner, type World } from "./world.ts";

export type Asset = { type: string; key: string; spec: Json };

type StageFields = {
  name?: string;
  type?: string;
  probability?: number;
  required_fields?: string[];
  target_days?: number | null;
};

/** A stage of a manifest, named like its key. */
export const stage = (key: string, fields: StageFields = {}) => ({ key, name: key, type: "open", ...fields });
/** The end of every pipeline. */
export const ENDS = [stage("won", { type: "won" }), stage("lost", { type: "lost" })];

export const pipeline = (name: string, stages: Json[], fields: object = {}): Asset => ({
  type: "pipeline",
  key: name.toLowerCase(),
  spec: { name, stages: [...stages, ...ENDS], ...fields },
});
export const field = (key: string, fields: object = {}): Asset => ({
  type: "custom_field",
  key,
  spec: { label: key, type: "text", ...fields },
});
export const tag = (key: string, fields: object = {}): Asset => ({ type: "tag", key, spec: { name: key, ...fields } });
export const template = (key: string, fields: object = {}): Asset => ({
  type: "message_template",
  key,
  spec: { name: key, channel: "sms", text: "Hello", ...fields },
});
export const scoring = (...rules: Json[]): Asset => ({ type: "lead_scoring", key: "rules", spec: { rules } });
export const rule = (name: string, points: number) => ({ name, field: "country", op: "is", value: name, points });

/** Two versions of a snapshot with an asset of most types: the second changes, adds and removes. */
export const V1 = [
  field("deal.budget", { type: "number" }),
  tag("vip"),
  template("welcome"),
  pipeline("Care", [stage("new", { probability: 10 }), stage("offer", { probability: 50, required_fields: ["custom.budget"] })]),
  scoring(rule("Referral", 20)),
];
export const V2 = [
  field("deal.budget", { type: "number", label: "Budget" }),
  field("deal.source"),
  template("welcome", { text: "Good day" }),
  pipeline("Care", [
    stage("new", { probability: 20 }),
    stage("check", { probability: 30 }),
    stage("offer", { probability: 60, required_fields: ["custom.budget"] }),
  ]),
  scoring(rule("Referral", 30), rule("Fair", 5)),
];

let made = 0;

/** The rows of an account's configuration by table, as they are, with those that are archived where it is asked for. */
async function configurationRows(world: World, client_id: string, archived: boolean): Promise<Record<string, Json[]>> {
  const stages = `select s.* from stages s join pipelines p on p.partner_id = s.partner_id and p.id = s.pipeline_id
    where p.account_id = $1 ${archived ? "" : "and not p.archived and not s.archived"} order by s.pipeline_id, s.position, s.id`;
  const of = (table: string, archives: boolean) =>
    `select * from ${table} where account_id = $1 ${archives && !archived ? "and not archived" : ""} order by 1, 2`;
  const tables = {
    custom_fields: of("custom_fields", true),
    pipelines: of("pipelines", true),
    stages,
    account_tags: of("account_tags", false),
    message_templates: of("message_templates", true),
    lead_scoring: of("lead_scoring", false),
    views: of("views", false),
  };
  const read = async ([table, sql]: [string, string]) => [table, await world.db.sql(sql, [client_id])];
  return Object.fromEntries(await Promise.all(Object.entries(tables).map(read)));
}

/** What tests do with the snapshots of a partner. */
export function snapshotsOf(world: World, partner: () => TestPartner) {
  const call = (method: string, path: string, body?: unknown, key = partner().key) =>
    world.call(method, path, {
      key,
      ...(body === undefined ? {} : { body }),
      headers: method === "PATCH" ? { "if-match": "*" } : {},
    });

  async function expected(status: number, reply: Promise<Reply>): Promise<Json> {
    const { status: got, body, text } = await reply;
    if (got !== status) throw new Error(`${got}: ${text}`);
    return body;
  }

  const rowsOf = (client_id: string, archived = false) => configurationRows(world, client_id, archived);

  return {
    call,
    rowsOf,
    /** The same without what every change raises. */
    async liveOf(client_id: string): Promise<Json> {
      const rows = await rowsOf(client_id);
      const bare = ({ version: _, updated_at: __, ...row }: Json) => row;
      // An account without rules of its own has the built-in ones, which is no difference.
      const { rules } = await expected(200, call("GET", `${GENERAL}/leads/scoring?account_id=${client_id}`));
      const lead_scoring = rules.map((one: Json) => JSON.stringify(one)).toSorted();
      const live = Object.entries(rows).map(([table, list]) => [table, list.map(bare)]);
      return { ...Object.fromEntries(live), lead_scoring };
    },
    /** Makes a snapshot with a first version. */
    async publish(...assets: Asset[]): Promise<string> {
      made += 1;
      const body = { name: `Snapshot ${made}`, manifest: { format: 1, assets } };
      return (await expected(201, call("POST", `${BASE}/snapshots`, body))).id;
    },
    /** Adds a version. */
    async push(id: string, ...assets: Asset[]): Promise<number> {
      const body = { manifest: { format: 1, assets } };
      return (await expected(201, call("POST", `${BASE}/snapshots/${id}/versions`, body))).version;
    },
    /** Asks for a deployment. */
    deploy: (client_id: string, snapshot_id: string, body: object = {}, key = partner().key) =>
      call("POST", `${BASE}/clients/${client_id}/snapshots`, { snapshot_id, ...body }, key),
    rollback: (id: string, key = partner().key) => call("POST", `${BASE}/deployments/${id}/rollback`, undefined, key),
    /** Deploys where nothing is in the way. */
    install: (client_id: string, snapshot_id: string, body: object = {}) =>
      expected(201, call("POST", `${BASE}/clients/${client_id}/snapshots`, { snapshot_id, ...body })),
    /** The pipeline of an account that has a name. */
    async pipelineNamed(account_id: string, name: string): Promise<Json> {
      const { data } = await expected(200, call("GET", `${GENERAL}/pipelines?account_id=${account_id}`));
      return data.find((one: Json) => one.name === name);
    },
    /** Changes stages of a pipeline by their names, and adds others. */
    async editStages(found: Json, edits: Record<string, object | null>, added: object[] = []): Promise<Json> {
      const { name: _, ...editable } = found;
      const kept = editable.stages.flatMap((one: Json) => (edits[one.name] === null ? [] : [{ ...one, ...edits[one.name] }]));
      return expected(200, call("PATCH", `${GENERAL}/pipelines/${found.id}`, { stages: [...added, ...kept] }));
    },
    patch: (path: string, body: object) => expected(200, call("PATCH", `${GENERAL}${path}`, body)),
    create: (path: string, body: object) => expected(201, call("POST", `${GENERAL}${path}`, body)),
  };
}
