import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clusterEnvironment } from "../harness/cluster.ts";
import { killCommands, runHere, runHereForJson } from "../harness/command.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import type { TestDatabase } from "../harness/database.ts";
import type { Environment } from "../harness/service-process.ts";
import { createDemoDatabase } from "../harness/templates.ts";
import type { Json } from "../harness/world.ts";
import { cleanUp } from "../postgres/processes.ts";

/** The demo programme, without a service: its last payout to the sub-partner was made by SEPA. */
let db: TestDatabase;
let environment: Environment;
let folder: string;
let payout: Json;
const run = (...args: string[]) => runHere(["payouts", ...args], environment);
const json = (...args: string[]) => runHereForJson(["payouts", ...args], environment);
const FJORD = ["--partner", "fjord"];

beforeAll(async () => {
  const data_dir = await makeDataDir();
  db = await createDemoDatabase(data_dir.path);
  // A port that nobody listens on.
  environment = { ...clusterEnvironment(db, data_dir), PORT: "1" };
  folder = data_dir.path;
});

afterAll(async () => {
  await killCommands();
  await db?.drop();
  await cleanUp();
});

test("payouts fail and cancel put what was scheduled back; run --wait schedules what its preview says", async () => {
  const [last] = (await json("list", ...FJORD, "--limit", "1")).data;
  expect(await json("fail", last.id, "--failure", "Account closed")).toMatchObject({ status: "failed" });
  const shown = await run("cancel", last.statement_number, ...FJORD);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^status +cancelled$/m)]);
  expect((await json("upcoming", ...FJORD)).data).toContainEqual(expect.objectContaining({ currency: "eur", eligible: true }));
  expect((await run("upcoming", ...FJORD)).stdout).toMatch(/^NEXT RUN +APPROVED +PAYABLE +BLOCKED BY/m);
  const preview = await json("preview");
  expect((await run("preview")).stdout).toMatch(/Fjord/);
  const made = await json("run", "--wait");
  expect(made).toMatchObject({ state: "finished", trigger: "manual", scheduled: preview.scheduled, blocked: preview.blocked });
  expect((await json("runs", "--limit", "1")).data).toEqual([made]);
  const { data } = await json("list", "--run", made.id, ...FJORD, "--status", "scheduled");
  expect(data).toHaveLength(1);
  payout = data[0];
});

test("payouts retry tries again, and export writes a file for the bank that only its owner can read", async () => {
  await json("fail", payout.id, "--failure", "Account closed");
  expect(await json("retry", payout.id)).toMatchObject({ status: "scheduled", attempt: 2 });
  const file = join(folder, "bank.xml");
  expect(await json("export", payout.run_id, file, "--format", "sepa")).toMatchObject({ state: "finished", payouts: 1, file });
  expect(await readFile(file, "utf8")).toContain(`<EndToEndId>${payout.id.replace("_", "-")}-2</EndToEndId>`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await run("export", payout.run_id, file, "--format", "sepa", "--json");
  expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([1, "unwritable_file"]);
});

test("payouts outcomes reports the rows that it can, and tells of the others", async () => {
  const file = join(folder, "outcomes.csv");
  const rows = [
    "payout_id,outcome,reference",
    `${payout.id},paid,TRB-7`,
    "pay_01jd3k5y5cf7m8n9p0q1r2s3t4,paid,",
    `${payout.id},lost,`,
  ];
  await writeFile(file, rows.join("\n"));
  const { code, stdout } = await run("outcomes", file, "--json");
  const result = JSON.parse(stdout);
  expect([code, result]).toMatchObject([1, { rows: 3, changed: 1, unchanged: 0, failed: 2 }]);
  expect(result.failures.map(({ row, error }: Json) => [row, error])).toEqual([
    [3, "not_found"],
    [4, "validation_failed"],
  ]);
  expect((await run("outcomes", file)).stdout).toMatch(/^unchanged +1$/m);
  expect(await json("pay", payout.statement_number, ...FJORD)).toMatchObject({ status: "paid", reference: "TRB-7" });
});

test("what cannot be done is refused, and the books are in order", async () => {
  const refused = await run("cancel", payout.id, "--json");
  expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([1, "invalid_state_transition"]);
  const unknown = await run("pay", "S-999999", ...FJORD, "--json");
  expect([unknown.code, JSON.parse(unknown.stderr).error.code]).toEqual([1, "not_found"]);
  const verified = await runHere(["ledger", "verify"], environment);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});
