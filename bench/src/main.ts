import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { describeMachine, machineLine, tableHead, tableLine } from "./report.ts";
import { measureRow, type Plan, type Result } from "./rounds.ts";
import { benchRows } from "./rows.ts";
import { createFloorTable, createKeys, raiseLimits, seedClients } from "./seed.ts";
import { openStage, type Stage } from "./stage.ts";

const CLIENTS = 2_000;
const KEYS = 8;
const FULL: Plan = { rounds: 6, round_ms: 2_000, warm_up_ms: 4_000, connections: 32 };
const QUICK: Plan = { rounds: 3, round_ms: 600, warm_up_ms: 800, connections: 32 };

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
});

const print = (text: string) => void process.stdout.write(text);
// Whoever reads the table may stop reading: the database must be put away all the same.
process.stdout.on("error", () => undefined);

async function bench(stage: Stage, plan: Plan): Promise<void> {
  const { secrets, owner } = stage;
  await raiseLimits(owner, secrets.partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, KEYS);
  const client_ids = await seedClients(owner, secrets.partner_id, CLIENTS);
  await createFloorTable(owner, stage.login);
  await owner.query("vacuum analyze clients");
  const machine = await describeMachine(owner);
  print(`${machineLine(machine)}; ${plan.connections} connections, ${plan.rounds} rounds of ${plan.round_ms} ms each\n\n`);
  print(tableHead());
  const results: Result[] = [];
  for (const row of benchRows(keys, client_ids)) {
    const result = await measureRow(row, { ours: stage.port, floor: await stage.startFloor(row.floor) }, plan, owner);
    print(tableLine(result));
    results.push(result);
  }
  const json = `${JSON.stringify({ machine, results }, null, 2)}\n`;
  print(`\n${json}`);
  if (options.json !== undefined) await writeFile(options.json, json);
}

const stage = await openStage();
const abandon = (signal: NodeJS.Signals) => void stage.close().finally(() => process.kill(process.pid, signal));
process.once("SIGINT", abandon).once("SIGTERM", abandon);
try {
  await bench(stage, options.quick ? QUICK : FULL);
} finally {
  await stage.close();
}
