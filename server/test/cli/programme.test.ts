import { describe, expect, test } from "vitest";
import { OPERATOR_TENANT } from "../../src/kernel/principal.ts";
import { runHere, runHereForJson } from "../harness/command.ts";
import { auditEntries, useInstallation } from "../harness/installation.ts";

const installation = useInstallation();
const run = (...args: string[]) => runHere(args, installation.environment);
const json = (...args: string[]) => runHereForJson(args, installation.environment);

async function refusal(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stdout]).toEqual([1, ""]);
  return JSON.parse(stderr).error;
}

describe("plans, rules and tiers", () => {
  test("plans create and update make what the operator API makes, in the name of the system", async () => {
    const made = await json("plans", "create", "--name", "Growth", "--price", "usd=49900", "--price", "eur=45900");
    expect(made).toMatchObject({ name: "Growth", prices: { usd: 49_900, eur: 45_900 }, state: "active" });
    expect((await auditEntries(installation.db, OPERATOR_TENANT)).at(-1)).toMatchObject({
      action: "plans.create",
      target: made.id,
      actor: { id: "system" },
    });
    expect(await refusal("plans", "create", "--name", "GROWTH")).toMatchObject({ code: "duplicate_plan" });
    expect(await refusal("plans", "update", "unheard", "--state", "archived")).toMatchObject({ code: "not_found" });
    expect((await run("plans", "list")).stdout).toMatch(
      /^ID +NAME +PRICES +STATE +CHANGED\npln_\w+ +Growth +459\.00 eur, 499\.00 usd +active/,
    );
    const changed = await json("plans", "update", "growth", "--state", "archived", "--price", "usd=1");
    expect(changed).toMatchObject({ id: made.id, prices: { usd: 1 }, state: "archived", version: 2 });
    expect(await json("plans", "list", "--state", "active")).toMatchObject({ data: [] });
    const wrong = await run("plans", "update", made.id, "--price", "49900");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("such as usd=49900")]);
  });

  test("rules and tiers are lines for people", async () => {
    const rules = (await run("rules", "list", "--grade", "gold")).stdout;
    expect(rules).toMatch(/^ID +NAME +FOR +FIRST +RECURRING +MONTHS.*\nrul_\w+ +Gold +gold +20 % +20 % +24/);
    expect((await run("rules", "show", "rul_00000000000000000000000003")).stdout).toMatch(/^later months +20 %$/m);
    expect(await json("rules", "list", "--ended")).toMatchObject({ data: [] });
    expect((await run("tiers", "list")).stdout).toMatch(/^gold +Gold +2 +20 % +active_clients 20$/m);
    expect((await run("tiers", "show", "platinum")).stdout).toMatch(
      /^requires +active_clients 50, retention_bps 8500 in 365 days$/m,
    );
    expect(await refusal("tiers", "show", "diamond")).toMatchObject({ code: "not_found" });
  });

  test("programme show has every setting", async () => {
    const { stdout } = await run("programme", "show");
    expect(stdout).toMatch(/^override bps +300, 200, 100$/m);
    expect(stdout).toMatch(/^payout cron +0 6 15 \* \*$/m);
    expect(await json("programme", "show")).toMatchObject({ hold_days: 30, total_cap_bps: 5000 });
  });
});
