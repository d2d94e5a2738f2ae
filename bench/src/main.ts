import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { grownAgentRows, measureTurns, seedAgents } from "./agents.ts";
import { BILLING_SETTINGS, billingRows, seedBilling } from "./billing.ts";
import { clusterRows, startCluster } from "./cluster.ts";
import { contactRows, grownContactRows, seedContacts } from "./contacts.ts";
import { grownInboxRows, INBOX_SETTINGS, inboxRows, seedInbox } from "./conversations.ts";
import { dealRows, seedDeals } from "./deals.ts";
import { measureExports } from "./exports.ts";
import { measureFanOut } from "./fan-out.ts";
import { grow, growthRows, SMALL } from "./growth.ts";
import { measureImport } from "./imports.ts";
import { measureLimits } from "./limits.ts";
import { LINK_SETTINGS, linkRows, seedLinks } from "./links.ts";
import { earnedRows, measureCharges, seedCommissions } from "./money.ts";
import { measurePayouts } from "./payouts.ts";
import { boundedLine, describeMachine, machineLine, tableHead, tableLine } from "./report.ts";
import { measureRow, type Plan, type Result, type Sides } from "./rounds.ts";
import { benchRows, type FloorRow, type Row } from "./rows.ts";
import { createFloorTable, createKeys, raiseLimits, seedClients } from "./seed.ts";
import { measureSnapshots } from "./snapshots.ts";
import { openStage, type Stage } from "./stage.ts";
import { type Bounded, measureStart } from "./start.ts";
import { measureWebhooks } from "./webhooks/section.ts";

const CLIENTS = 2_000;
const CONTACTS = 2_000;
/** So many that everybody who writes has a conversation. */
const MESSAGES = 10_000;
const KEYS = 8;
const FULL = { rounds: 6, round_ms: 2_000, warm_up_ms: 4_000, connections: 32, grown: 1_000_000, quick: false };
const QUICK = { rounds: 4, round_ms: 1_000, warm_up_ms: 4_000, connections: 32, grown: 100_000, quick: true };

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, json: { type: "string" }, only: { type: "string" } },
});

const print = (text: string) => void process.stdout.write(text);
// Whoever reads the table may stop reading: the database must be put away all the same.
process.stdout.on("error", () => undefined);

const stages = new Set<Stage>();

function withStages<T>(
  count: number,
  use: (...opened: Stage[]) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  return withOpened(
    Array.from({ length: count }, () => () => openStage(settings)),
    use,
  );
}

async function withOpened<T>(openers: readonly (() => Promise<Stage>)[], use: (...opened: Stage[]) => Promise<T>): Promise<T> {
  const opened: Stage[] = [];
  try {
    for (const open of openers) {
      const stage = await open();
      stages.add(stage);
      opened.push(stage);
    }
    return await use(...opened);
  } finally {
    await closeAll(opened);
  }
}

async function closeAll(opened: Iterable<Stage>): Promise<void> {
  for (const stage of opened) {
    stages.delete(stage);
    await stage.close();
  }
}

type Scale = Plan & { grown: number; quick: boolean };
type Section = (plan: Scale) => Promise<(Result | Bounded)[]>;

/** The sections of the table; `--only` names one of them. */
const SECTIONS: Record<string, Section> = {
  requests: (plan) => withStages(1, (stage) => measureRequests(stage as Stage, plan)),
  crm: (plan) => withStages(1, (stage) => measureContacts(stage as Stage, plan)),
  "crm-growth": (plan) => withStages(2, (large, small) => measureContactGrowth(large as Stage, small as Stage, plan)),
  growth: (plan) => withStages(2, (large, small) => measureGrowth(large as Stage, small as Stage, plan)),
  money: (plan) => withStages(2, (large, small) => measureMoney(large as Stage, small as Stage, plan)),
  snapshots: (plan) => withStages(1, async (stage) => printAll(await measureSnapshots(stage as Stage, plan))),
  links: (plan) => withStages(1, (stage) => measureLinks(stage as Stage, plan), LINK_SETTINGS),
  billing: (plan) => withStages(1, (stage) => measureBilling(stage as Stage, plan), BILLING_SETTINGS),
  conversations: (plan) => withStages(2, (large, small) => measureInbox(large as Stage, small as Stage, plan), INBOX_SETTINGS),
  agents: (plan) => withStages(2, (large, small) => measureAgents(large as Stage, small as Stage, plan)),
  webhooks: (plan) => withStages(1, async (stage) => printAll(await measureWebhooks(stage as Stage, plan.quick))),
  promises: (plan) => withStages(2, (records, inbox) => measurePromises(records as Stage, inbox as Stage, plan), INBOX_SETTINGS),
  start: async () => printAll(await measureStart()),
  cluster: measureCluster,
  limits: (plan) => withStages(1, async (stage) => printAll(await measureLimits(stage as Stage, 10 * plan.round_ms))),
};

function printAll<Row extends Result | Bounded>(measured: Row[]): Row[] {
  for (const one of measured) print("ratio" in one ? tableLine(one) : boundedLine(one));
  return measured;
}

async function measureRequests(stage: Stage, plan: Plan): Promise<Result[]> {
  const { secrets, owner } = stage;
  await raiseLimits(owner, secrets.partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, KEYS);
  const client_ids = await seedClients(owner, secrets.partner_id, CLIENTS);
  await createFloorTable(owner, stage.login);
  await owner.query("vacuum analyze clients");
  return againstFloors(stage, benchRows(keys, client_ids), plan);
}

async function measureContacts(stage: Stage, plan: Scale): Promise<Result[]> {
  const book = await seedContacts(stage, CONTACTS);
  const results = await againstFloors(stage, [...contactRows(book), ...dealRows(book.keys, await seedDeals(stage))], plan);
  const imported = await measureImport(stage, book, plan);
  print(tableLine(imported));
  return [...results, imported];
}

async function measureLinks(stage: Stage, plan: Plan): Promise<Result[]> {
  return againstFloors(stage, linkRows(await seedLinks(stage)), plan);
}

async function measureBilling(stage: Stage, plan: Plan): Promise<Result[]> {
  return againstFloors(stage, billingRows(await seedBilling(stage)), plan);
}

/** The rows that write come last: they make the large inbox larger. */
async function measureInbox(large: Stage, small: Stage, plan: Scale): Promise<(Result | Bounded)[]> {
  const inbox = await seedInbox(large, plan.grown);
  const grown = await againstSmall(large, small, grownInboxRows(inbox, await seedInbox(small, SMALL)), plan);
  const told = printAll(await measureFanOut(large, inbox));
  return [...grown, ...told, ...(await againstFloors(large, inboxRows(inbox), plan))];
}

/** Knowledge has a tenth of the size of everything else. The rows that write come last. */
async function measureAgents(large: Stage, small: Stage, plan: Scale): Promise<(Result | Bounded)[]> {
  const team = await seedAgents(large, plan.grown, plan.grown / 10);
  const grown = await againstSmall(large, small, grownAgentRows(team, await seedAgents(small, SMALL, SMALL)), plan);
  return [...grown, ...printAll(await measureTurns(large, team, plan.quick))];
}

async function measureContactGrowth(large: Stage, small: Stage, plan: Scale): Promise<Result[]> {
  return againstSmall(
    large,
    small,
    grownContactRows(await seedContacts(large, plan.grown), await seedContacts(small, SMALL)),
    plan,
  );
}

/** What the promises of a write leave of its floor's rate: the bound of its own row. */
async function measurePromises(records: Stage, inbox: Stage, plan: Scale): Promise<Result[]> {
  const { keys, ...book } = await seedContacts(records, CONTACTS);
  await createFloorTable(records.owner, records.login);
  const asked = [
    ...contactRows({ keys, ...book }),
    ...benchRows(keys, await seedClients(records.owner, records.secrets.partner_id, CLIENTS)),
  ];
  const written = asked.filter(({ name }) => /^(create|upsert) /.test(name));
  const read = asked.filter(({ name }) => /^(authenticate|get|list 50 contacts)/.test(name));
  const links = billingRows(await seedBilling(records)).filter(({ name }) => name === "create a payment link");
  const results: Result[] = [];
  for (const [stage, rows] of [
    [records, [...read, ...written, ...links]],
    [inbox, inboxRows(await seedInbox(inbox, MESSAGES))],
  ] as const) {
    for (const row of rows) {
      const ours = { ...(await stage.startFloor(read.includes(row) ? "promised-read" : "promised")), tells: false };
      const floor = { ...(await stage.startFloor(row.floor)), tells: false };
      const sides = { ...sideOf(stage), ours, floor, one_database: true };
      results.push(await measureAndPrint({ ...row, name: `promised: ${row.name}` }, sides, plan));
    }
  }
  return results;
}

/** The same requests to three nodes and, as their floor, to one; nothing where no PostgreSQL with Citus is named. */
async function measureCluster(plan: Scale): Promise<Result[]> {
  const { CITUS_BIN } = process.env;
  if (CITUS_BIN === undefined) return [];
  const openThree = () => openStage({}, (dataDir) => startCluster(CITUS_BIN, dataDir));
  return withOpened([openThree, () => openStage()], async (three, one) =>
    againstSmall(three as Stage, one as Stage, await clusterRows(three as Stage, one as Stage, CLIENTS), plan),
  );
}

async function againstFloors(stage: Stage, rows: FloorRow[], plan: Plan): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    const floor = { ...(await stage.startFloor(row.floor)), tells: false };
    results.push(await measureAndPrint(row, { ...sideOf(stage), floor, one_database: true }, plan));
  }
  return results;
}

async function againstSmall(large: Stage, small: Stage, rows: Row[], plan: Plan): Promise<Result[]> {
  const results: Result[] = [];
  const sides = { ...sideOf(large), floor: sideOf(small).ours, one_database: false };
  for (const row of rows) results.push(await measureAndPrint(row, sides, plan));
  return results;
}

const sideOf = ({ service_pid, port, counter, owner }: Stage) => ({
  ours: { pid: service_pid, port, tells: true },
  counter,
  owner,
});

async function measureAndPrint(row: Row, sides: Sides, plan: Plan): Promise<Result> {
  const result = await measureRow(row, sides, plan);
  print(tableLine(result));
  return result;
}

async function measureMoney(large: Stage, small: Stage, plan: Scale): Promise<Result[]> {
  const measured = [await measureCharges(large, plan), await measurePayouts(large, plan)];
  printAll(measured);
  const rows = earnedRows(await seedCommissions(large, plan.grown), await seedCommissions(small, SMALL));
  return [...measured, ...(await againstSmall(large, small, rows, plan))];
}

async function measureGrowth(large: Stage, small: Stage, plan: Scale): Promise<Result[]> {
  const grown = await grow(large, plan.grown);
  const results = await againstSmall(large, small, growthRows(grown, await grow(small, SMALL)), plan);
  for (const result of await measureExports(large, plan.grown, plan)) {
    print(tableLine(result));
    results.push(result);
  }
  return results;
}

async function bench(plan: Scale): Promise<void> {
  const names = options.only === undefined ? Object.keys(SECTIONS) : [options.only];
  const machine = describeMachine();
  print(`${machineLine(machine)}; ${plan.connections} connections, ${plan.rounds} rounds of ${plan.round_ms} ms each\n\n`);
  print(tableHead());
  const results: (Result | Bounded)[] = [];
  for (const name of names) {
    const section = SECTIONS[name];
    if (section === undefined) throw new Error(`--only takes one of ${Object.keys(SECTIONS).join(", ")}`);
    results.push(...(await section(plan)));
  }
  const json = `${JSON.stringify({ machine, results }, null, 2)}\n`;
  print(`\n${json}`);
  if (options.json !== undefined) await writeFile(options.json, json);
}

const abandon = (signal: NodeJS.Signals) => void closeAll([...stages]).finally(() => process.kill(process.pid, signal));
process.once("SIGINT", abandon).once("SIGTERM", abandon);
await bench(options.quick ? QUICK : FULL);
