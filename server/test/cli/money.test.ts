import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runHere, runHereForJson } from "../harness/command.ts";
import { useInstallation } from "../harness/installation.ts";
import type { Json } from "../harness/world.ts";

const installation = useInstallation();
const run = (...args: string[]) => runHere(args, installation.environment);
const json = (...args: string[]) => runHereForJson(args, installation.environment);
let client: Json;

beforeAll(async () => {
  client = await json("clients", "create", "--company", "Acme Dental", "--external-id", "acme-1");
});

const CHARGE = ["--external-id", "INV-1", "--amount-cents", "49900", "--currency", "usd", "--charged-at", "2026-11-02T09:30:00Z"];

test("charges record stores a charge once, and refuses other facts under the same id", async () => {
  const charge = await json("charges", "record", "acme-1", ...CHARGE);
  expect(charge).toMatchObject({ client_id: client.id, amount_cents: 49_900, months: 1, outcome: "no_sale", commissions: [] });
  const again = await run("charges", "record", client.id, ...CHARGE);
  expect([again.code, again.stderr]).toEqual([0, "It was recorded before: nothing changed.\n"]);
  expect(again.stdout).toMatch(/^amount +499\.00 usd$/m);
  const other = await run("charges", "record", "acme-1", ...CHARGE.with(3, "1"), "--json");
  expect([other.code, JSON.parse(other.stderr).error]).toMatchObject([1, { code: "duplicate_charge", existing_id: charge.id }]);
});

test("charges import stores the rows that it can, and tells of the others", async () => {
  const file = join(installation.data_dir, "charges.csv");
  const rows = [
    "external_id,client,amount_cents,currency,charged_at,plan",
    "INV-1,acme-1,49900,usd,2026-11-02T09:30:00Z,",
    `INV-2,${client.id},49900,usd,2026-11-03T09:30:00Z,Growth`,
    "INV-3,nobody,49900,usd,2026-11-03T09:30:00Z,",
    "INV-4,acme-1,free,usd,2026-11-03T09:30:00Z,",
    "INV-2,acme-1,1,usd,2026-11-03T09:30:00Z,",
  ];
  await writeFile(file, rows.join("\n"));
  const { code, stdout } = await run("charges", "import", file, "--json");
  const result = JSON.parse(stdout);
  expect([code, result]).toMatchObject([1, { rows: 5, created: 1, unchanged: 1, failed: 3 }]);
  expect(result.failures.map(({ row, error }: Json) => [row, error])).toEqual([
    [4, "not_found"],
    [5, "validation_failed"],
    [6, "duplicate_charge"],
  ]);
  expect((await run("charges", "import", file)).stdout).toMatch(/^ *5 +INV-4 +validation_failed +amount_cents must be/m);
  const listed = await json("charges", "list", "--client", "acme-1");
  expect(listed.data.map(({ external_id }: Json) => external_id)).toEqual(["INV-2", "INV-1"]);
});

test("charges import names the columns that are missing", async () => {
  const file = join(installation.data_dir, "wrong.csv");
  await writeFile(file, "id,amount\n1,2\n");
  const { code, stderr } = await run("charges", "import", file);
  expect([code, stderr]).toEqual([2, expect.stringContaining("client, external_id, amount_cents, currency, charged_at")]);
});

test("commissions and balances of a partner that earned nothing are empty", async () => {
  expect(await json("commissions", "list")).toMatchObject({ data: [], has_more: false });
  expect((await json("ledger", "balances")).data).toEqual([]);
  expect((await run("ledger", "balances")).stdout).toBe("Nothing was earned yet.\n");
});
