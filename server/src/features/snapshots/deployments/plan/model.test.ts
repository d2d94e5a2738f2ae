import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../../test/harness/size.ts";
import { PureAccount } from "../../../../../test/harness/snapshots/pure-account.ts";
import { PureSnapshot } from "../../../../../test/harness/snapshots/pure-deployments.ts";
import { doEdit, edits } from "../../../../../test/harness/snapshots/pure-edits.ts";
import { manifest, POOL, type PureManifest } from "../../../../../test/harness/snapshots/pure-manifests.ts";
import { canonicalText, equal, type Live, type Spec } from "../../../accounts/configuring/index.ts";
import { POLICIES } from "./model.ts";

const policy = fc.constantFrom(...POLICIES);

/** Edits before the first version; then versions, each with edits after it. */
const past = fc.record({
  first: edits,
  rounds: fc.array(fc.record({ content: manifest(), policy, edits }), { minLength: 1, maxLength: 3 }),
});
type Past = typeof past extends fc.Arbitrary<infer T> ? T : never;

/** An account with a past, and the snapshot whose last version is next. */
function arrive({ first, rounds }: Past, prefix = "acc") {
  const account = new PureAccount(prefix);
  const snapshot = new PureSnapshot(rounds.map(({ content }) => content));
  for (const one of first) doEdit(account, one);
  for (const [index, round] of rounds.slice(0, -1).entries()) {
    snapshot.deploy(account, index + 1, round.policy);
    for (const one of round.edits) doEdit(account, one);
  }
  const next = rounds[rounds.length - 1] as Past["rounds"][number];
  return { account, snapshot, version: rounds.length, ...next };
}

const RUNS = sized(150, 3_000);

const always = (property: (scene: ReturnType<typeof arrive>, past: Past) => void, among: fc.Arbitrary<Past> = past) =>
  fc.assert(
    fc.property(among, (one) => property(arrive(one), one)),
    { numRuns: RUNS },
  );

/** The live records without their ids, in any order. */
const specsOf = (account: PureAccount) =>
  Object.entries(account.live()).map(([type, list]) => [type, list.map(({ key, spec }) => canonicalText([key, spec])).sort()]);

const find = (records: readonly Live[] | undefined, id: string) => records?.find((one) => one.id === id);
const stagesOf = (spec: Spec | undefined) => (spec?.stages ?? []) as readonly Spec[];
const bare = (spec: Spec | null): Spec | null =>
  spec !== null && "stages" in spec ? { ...spec, stages: stagesOf(spec).map(({ key: _, ...stage }) => stage) } : spec;

describe("a deployment", () => {
  test("leaves what its plan says, and nothing else is touched", () => {
    always(({ account, snapshot, version, policy }) => {
      const before = account.state;
      const { undo, ids, plan } = snapshot.deploy(account, version, policy);
      for (const { type, key, to } of undo) {
        const record = find(account.live()[type], ids[`${type}/${key}`]?.id ?? "");
        expect(record?.spec ?? null).toEqual(bare(to));
      }
      const changed = new Set(Object.values(ids).map(({ id }) => id));
      for (const [type, records] of Object.entries(before)) {
        for (const record of records.filter(({ id }) => !changed.has(id)))
          expect(find(account.state[type], record.id)).toEqual(record);
      }
      expect(JSON.stringify(plan)).not.toContain("acc_");
    });
  });

  test("changes nothing when it is repeated", () => {
    always(({ account, snapshot, version, policy }) => {
      snapshot.deploy(account, version, policy);
      expect(snapshot.plan(account, version, policy).changes).toEqual({});
    });
  });

  test("is undone by a rollback, ids included", () => {
    always(({ account, snapshot, version, policy }) => {
      const [before, install] = [account.live(), snapshot.install];
      const deployed = snapshot.deploy(account, version, policy);
      const { plan } = snapshot.rollback(account, deployed);
      expect(account.live()).toEqual(before);
      expect(plan.counts.conflict).toBe(0);
      expect(snapshot.install?.version).toBe(install?.version ?? null);
      expect(snapshot.rollback(account, deployed).changes).toEqual({});
    });
  });

  test("is the same for all accounts in the same state, but for the ids", () => {
    always(({ account, snapshot, version, policy }, one) => {
      const other = arrive(one, "other");
      const [mine, own] = [snapshot.deploy(account, version, policy), other.snapshot.deploy(other.account, version, policy)];
      expect(own.plan_hash).toBe(mine.plan_hash);
      const facts = ({ changes, removals, undo, ids }: typeof mine) => JSON.stringify({ changes, removals, undo, ids });
      expect(facts(own).replaceAll("other_", "acc_")).toBe(facts(mine));
      expect(JSON.stringify(other.snapshot.install).replaceAll("other_", "acc_")).toBe(JSON.stringify(snapshot.install));
    });
  });

  test("leads to the same from version to version as at once, where nobody edits", () => {
    const content = manifest({
      ...POOL,
      boards: { ...POOL.boards, sales: ["Sales", "Care"] },
      scoring: "always",
      default: "own",
    });
    fc.assert(
      fc.property(fc.array(content, { minLength: 2, maxLength: 4 }), (versions) => {
        const [slow, fast] = [new PureAccount("slow"), new PureAccount("fast")];
        const [walker, jumper] = [new PureSnapshot(versions), new PureSnapshot(versions)];
        for (const index of versions.keys()) walker.deploy(slow, index + 1, "merge");
        jumper.deploy(fast, 1, "merge");
        jumper.deploy(fast, versions.length, "merge");
        expect(specsOf(fast)).toEqual(specsOf(slow));
      }),
      { numRuns: RUNS },
    );
  });

  test("does not depend on another snapshot, where they have nothing in common", () => {
    const one = manifest({
      fields: ["c.a", "c.b"],
      boards: { sales: ["Sales"], care: ["Care"] },
      scoring: "never",
      default: "some",
    });
    const two = manifest({ fields: ["d.a", "d.o"], boards: { own: ["Own"] }, scoring: "some", default: "none" });
    fc.assert(
      fc.property(one, two, edits, policy, (first, second, some, how) => {
        const outcome = (order: readonly PureManifest[]) => {
          const account = new PureAccount("acc");
          for (const done of some) if (!done.what.startsWith("make_")) doEdit(account, done);
          const snapshots = order.map((content) => new PureSnapshot([content]));
          for (const [index, snapshot] of snapshots.entries())
            snapshot.deploy(account, 1, how, index === 0 ? new Set() : snapshots[0]?.owned());
          return specsOf(account);
        };
        expect(outcome([first, second])).toEqual(outcome([second, first]));
      }),
      { numRuns: RUNS },
    );
  });
});

/**
 * What the client has done to a record since its base, in the record as it is now: a path, and whether it still says the same. A stage of
 * the client's that a later version has too is adopted: what it needs may grow.
 */
function editsOf(
  base: Spec,
  mine: Live,
  keys: ReadonlyMap<string, string>,
  now: Live | undefined,
  owned: ReadonlySet<string>,
): [string, boolean][] {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const values = Object.keys(base).filter(
    (member) => member !== "stages" && !Array.isArray(base[member]) && !same(base[member], mine.spec[member]),
  );
  const needsOf = (stage: Spec | undefined) => (stage?.needs ?? []) as string[];
  const groups = (spec: Spec | undefined) => new Set((spec?.groups ?? []) as string[]);
  const toggled = [...groups(base), ...groups(mine.spec)].filter(
    (text) => groups(base).has(text) !== groups(mine.spec).has(text),
  );
  const stages = stagesOf(mine.spec).flatMap((stage, index): [string, boolean][] => {
    const id = mine.parts[index] ?? "";
    const old = stagesOf(base).find(({ key }) => key === keys.get(id));
    const after = stagesOf(now?.spec)[now?.parts.indexOf(id) ?? -1];
    const kept = owned.has(id) ? { ...after, needs: needsOf(after).filter((need) => needsOf(stage).includes(need)) } : after;
    if (old === undefined) return [[`stage ${id} made here`, equal(kept, stage)]];
    return old.name === stage.name ? [] : [[`stage ${id} renamed`, after?.name === stage.name]];
  });
  return [
    ...values.map((member): [string, boolean] => [member, same(now?.spec[member], mine.spec[member])]),
    ...toggled.map((text): [string, boolean] => [`group ${text}`, groups(now?.spec).has(text) === groups(mine.spec).has(text)]),
    ...stages,
  ];
}

describe("what the client has done", () => {
  const gentle = past.map(
    (one): Past => ({
      ...one,
      rounds: one.rounds.map((round) => ({ ...round, policy: round.policy === "overwrite" ? "merge" : round.policy })),
    }),
  );

  test("stays: no edit is lost", () => {
    always(({ account, snapshot, version, policy }) => {
      const [before, entries] = [account.state, snapshot.install?.entries ?? {}];
      snapshot.deploy(account, version, policy);
      for (const [name, entry] of Object.entries(entries)) {
        const [type = "", key = ""] = name.split("/");
        const mine = find(before[type], entry.id);
        const base = snapshot.versions[entry.base - 1]?.assets.find((one) => one.type === type && one.key === key)?.spec;
        const adopted = Object.entries(snapshot.install?.entries ?? {}).some(
          ([other, { id }]) => id === entry.id && other !== name,
        );
        if (mine === undefined || mine.archived || entry.removed || base === undefined || adopted) continue;
        const keys = new Map(
          Object.entries(entry.parts).flatMap(([part, id]) => (entry.held?.[part] === undefined ? [[id, part]] : [])) as [
            string,
            string,
          ][],
        );
        const held = new Set(Object.keys(entry.held ?? {}).map((part) => entry.parts[part]));
        const owned = new Set(Object.values(snapshot.install?.entries[name]?.parts ?? {}));
        const lost = editsOf(base, mine, keys, find(account.live()[type], entry.id), owned).filter(
          ([path, kept]) => !kept && ![...held].some((id) => path.includes(String(id))),
        );
        expect(lost).toEqual([]);
      }
    }, gentle);
  });

  test("stays: nothing that was deleted comes back", () => {
    always(({ account, snapshot, version, policy }) => {
      const [before, entries] = [account.state, structuredClone(snapshot.install?.entries ?? {})];
      const { changes } = snapshot.deploy(account, version, policy);
      for (const [name, entry] of Object.entries(entries)) {
        const [type = "", key = ""] = name.split("/");
        const mine = find(before[type], entry.id);
        const change = changes[type]?.find((one) => one.key === key);
        if ((mine === undefined || mine.archived) && !entry.removed) expect(change).toBeUndefined();
        if (change === undefined || change.do !== "update") continue;
        const added = stagesOf(change.to).filter((_, index) => !mine?.parts.includes(change.parts[index] ?? ""));
        for (const stage of added) expect(Object.keys(entry.parts)).not.toContain(stage.key);
      }
    }, gentle);
  });
});
