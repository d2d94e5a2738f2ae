import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../../test/harness/size.ts";
import { PureAccount } from "../../../../../test/harness/snapshots/pure-account.ts";
import { PureSnapshot } from "../../../../../test/harness/snapshots/pure-deployments.ts";
import { doEdit, edits } from "../../../../../test/harness/snapshots/pure-edits.ts";
import { manifest } from "../../../../../test/harness/snapshots/pure-manifests.ts";
import type { Live, Spec } from "../../../accounts/configuring/index.ts";
import { POLICIES } from "./model.ts";
import { planOf, renaming } from "./state.model.ts";

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

const always = (property: (scene: ReturnType<typeof arrive>, past: Past) => void, among: fc.Arbitrary<Past> = past) =>
  fc.assert(
    fc.property(among, (one) => property(arrive(one), one)),
    { numRuns: sized(300, 20_000) },
  );

/** The live records without their ids, in any order. */
const _specsOf = (account: PureAccount) =>
  Object.entries(account.live()).map(([type, list]) => [type, list.map(({ key, spec }) => JSON.stringify([key, spec])).sort()]);

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
      const look = { ...account.look(), install: snapshot.install, others: new Set<string>() };
      const otherLook = { ...other.account.look(), install: other.snapshot.install, others: new Set<string>() };
      const [mine, own] = [snapshot.plan(account, version, policy), other.snapshot.plan(other.account, version, policy)];
      const shared = planOf(mine, renaming(look, otherLook));
      expect(shared.plan_hash).toBe(own.plan_hash);
      expect([shared.changes, shared.removals, shared.undo]).toEqual([own.changes, own.removals, own.undo]);
      const applied = other.account.apply(own.changes);
      expect(shared.install(applied)).toEqual(own.install(applied));
      expect(shared.changed(applied)).toEqual(own.changed(applied));
    });
  });
});
