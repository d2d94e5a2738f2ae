import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { sized } from "../harness/size.ts";
import { type Asset, field, pipeline, snapshotsOf, stage, tag, template } from "../harness/snapshots.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
const { call, rowsOf, liveOf, publish, deploy, rollback, pipelineNamed, editStages, patch, create } = snapshotsOf(
  world,
  () => partner,
);

beforeAll(async () => {
  partner = await world.newPartner();
});

const STAGES = ["a", "b", "c", "d"] as const;
/** Values of snapshots are tens; those of clients are not. */
const tens = fc.integer({ min: 0, max: 9 }).map((ten) => ten * 10);

/** The content of a version. */
const version = fc
  .record({
    stages: fc.shuffledSubarray([...STAGES], { minLength: 1 }),
    probabilities: fc.record({ a: tens, b: tens, c: tens, d: tens }),
    text: fc.constantFrom("Hello", "Good day", "Welcome"),
    tags: fc.subarray(["x", "y"]),
    required: fc.boolean(),
  })
  .map(({ stages, probabilities, text, tags, required }): Asset[] => [
    field("deal.budget", { required: false, label: text }),
    ...tags.map((name) => tag(name)),
    template("welcome", { text }),
    pipeline(
      "Care",
      stages.map((key) => stage(key, { probability: probabilities[key], required_fields: required ? ["custom.budget"] : [] })),
    ),
  ]);

type Act =
  | { do: "deploy"; version: number; policy: "merge" | "skip" | "overwrite" | "fail" }
  | { do: "rollback" }
  | { do: "change" | "delete"; stage: number }
  | { do: "add" };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    do: fc.constant("deploy" as const),
    version: fc.integer({ min: 1, max: 4 }),
    policy: fc.constantFrom("merge", "merge", "skip", "overwrite", "fail"),
  }),
  fc.constant({ do: "rollback" as const }),
  fc.record({ do: fc.constantFrom("change" as const, "delete" as const), stage: fc.nat(5) }),
  fc.constant({ do: "add" as const }),
);

const story = fc.record({
  versions: fc.array(version, { minLength: 4, maxLength: 4 }),
  acts: fc.array(act, { minLength: 2, maxLength: 8 }),
});

/** What the client has done that a deployment must keep: probabilities by stage, and stages that are gone. */
type Edits = { changed: Map<string, number>; deleted: Set<string>; added: number };

async function edit(client: string, edits: Edits, { do: what, stage: index }: { do: string; stage: number }): Promise<void> {
  const care = await pipelineNamed(client, "Care");
  if (care === undefined) return;
  const open = care.stages.filter(({ type }: Json) => type === "open");
  const one = open[index % open.length];
  if (what === "delete" && open.length === 1) return;
  // One unlike any of a snapshot, and unlike any that the client had before.
  const probability = 1 + (edits.added++ % 9) + 10 * (edits.changed.size % 9);
  await editStages(care, { [one.name]: what === "delete" ? null : { probability } });
  edits.changed.delete(one.id);
  if (what === "delete") edits.deleted.add(one.id);
  else edits.changed.set(one.id, probability);
}

async function checkEdits(client: string, edits: Edits): Promise<void> {
  const { stages } = await liveOf(client);
  const found = new Map(stages.map(({ id, probability }: Json) => [id, probability]));
  for (const [id, probability] of edits.changed) expect(found.get(id)).toBe(probability);
  for (const id of edits.deleted) expect(found.has(id)).toBe(false);
}

test("no deployment and no rollback loses what a client has changed, deleted or made, and a second one changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ versions: [first = [], ...rest], acts }) => {
      const client = (await world.newClient(partner)).id;
      const snapshot = await publish(...first);
      const numbers = [1];
      for (const assets of rest) numbers.push(await pushed(snapshot, assets, numbers.at(-1) ?? 1));
      await create("/pipelines", { name: "Own", account_id: client });
      const own = await create("/tags", { name: "Own", account_id: client });
      const ownRows = await ownOf(client, own.id);
      const edits: Edits = { changed: new Map(), deleted: new Set(), added: 0 };
      const applied: { id: string; before: Json }[] = [];
      for (const one of acts) {
        if (one.do === "change" || one.do === "delete") {
          await edit(client, edits, one);
          applied.length = 0;
        } else if (one.do === "add") {
          edits.added += 1;
          await patch(`/tags/${own.id}`, { description: `Own ${edits.added}` });
          ownRows.tag = (await ownOf(client, own.id)).tag;
        } else if (one.do === "deploy") {
          await deployed(
            client,
            snapshot,
            { version: numbers[one.version - 1] ?? 1, conflict_policy: one.policy },
            edits,
            applied,
          );
        } else {
          const last = applied.pop();
          if (last === undefined) continue;
          expect((await rollback(last.id)).body.status).toBe("rolled_back");
          expect(await liveOf(client)).toEqual({ ...last.before, account_tags: expect.anything() });
        }
        await checkEdits(client, edits);
        expect(await ownOf(client, own.id)).toEqual(ownRows);
      }
    }),
    { numRuns: sized(6, 150) },
  );
});

/** Adds a version; one that equals the latest is no other. */
async function pushed(snapshot: string, assets: Asset[], latest: number): Promise<number> {
  const { body } = await call("POST", `${BASE}/snapshots/${snapshot}/versions`, { manifest: { format: 1, assets } });
  return body.version ?? latest;
}

async function deployed(
  client: string,
  snapshot: string,
  how: { version: number; conflict_policy: string },
  edits: Edits,
  applied: { id: string; before: Json }[],
) {
  const before = await liveOf(client);
  const dry = await deploy(client, snapshot, { ...how, dry_run: true });
  const { status, body } = await deploy(client, snapshot, { ...how, plan_hash: dry.body.plan_hash });
  if (status === 409) {
    expect([how.conflict_policy, body.code]).toEqual(["fail", "snapshot_conflict"]);
    return expect(await liveOf(client)).toEqual(before);
  }
  if (status === 201) {
    expect(body.steps).toEqual(dry.body.steps);
    applied.push({ id: body.id, before });
  } else expect([status, await liveOf(client)]).toEqual([200, before]);
  if (how.conflict_policy === "overwrite") {
    edits.changed.clear();
    edits.deleted.clear();
  }
  const after = await rowsOf(client, true);
  expect((await deploy(client, snapshot, how)).status).toBe(200);
  expect(await rowsOf(client, true)).toEqual(after);
}

/** What the client has made, as it is stored. */
async function ownOf(client: string, tag_id: string): Promise<Record<string, Json>> {
  const { pipelines = [], stages = [], account_tags = [] } = await rowsOf(client);
  const own = pipelines.find(({ name }) => name === "Own");
  return {
    pipeline: own,
    stages: stages.filter(({ pipeline_id }) => pipeline_id === own.id),
    tag: account_tags.find(({ id }) => id === tag_id),
  };
}
