import { median, type Plan, type Result, ratioOf } from "./rounds.ts";
import type { Stage } from "./stage.ts";

const FORMATS = { ndjson: 0.5, csv: 0.5 } as const;

/** Rows a second of an export, against the product's own list statement walked page by page and written as lines. */
export async function measureExports({ secrets, port, startFloor }: Stage, rows: number, plan: Plan): Promise<Result[]> {
  const { port: floor_port } = await startFloor("export-clients");
  const results: Result[] = [];
  for (const [format, goal] of Object.entries(FORMATS)) {
    const rounds: { ours: number; floor: number }[] = [];
    for (let round = 0; round < Math.min(plan.rounds, 3); round += 1) {
      const ours = await linesPerSecond(`http://127.0.0.1:${port}/v1/partners/clients?format=${format}`, secrets.api_key, rows);
      rounds.push({ ours, floor: await linesPerSecond(`http://127.0.0.1:${floor_port}/`, secrets.api_key, rows) });
    }
    results.push({
      name: `export as ${format}`,
      ours: Math.round(median(rounds.map(({ ours }) => ours))),
      floor: Math.round(median(rounds.map(({ floor }) => floor))),
      ...ratioOf(rounds),
      goal,
      unit: "rows/s",
    });
  }
  return results;
}

async function linesPerSecond(url: string, key: string, expected: number): Promise<number> {
  const started_ms = performance.now();
  const reply = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (reply.body === null || reply.status !== 200) throw new Error(`the export answered ${reply.status}`);
  let lines = 0;
  for await (const chunk of reply.body) for (const byte of chunk) if (byte === 10) lines += 1;
  if (Math.abs(lines - expected) > expected * 0.01 + 100)
    throw new Error(`the export has ${lines} lines, there are ${expected} clients`);
  return (lines * 1_000) / (performance.now() - started_ms);
}
