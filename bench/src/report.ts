import { arch, availableParallelism, platform, totalmem } from "node:os";
import type { Counts } from "./counts.ts";
import type { Result } from "./rounds.ts";
import type { Bounded } from "./start.ts";

export type Machine = { cores: number; memory_gib: number; platform: string; node: string };

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    node: process.version,
  };
}

export function machineLine({ cores, memory_gib, platform, node }: Machine): string {
  return `${cores} cores, ${memory_gib} GiB, ${platform}, Node ${node}, embedded PostgreSQL`;
}

const COLUMNS = ["what", "ours", "floor", "ratio", "spread", "goal", ""] as const;

export function tableHead(): string {
  return `${line([...COLUMNS])}\n`;
}

export function tableLine(result: Result): string {
  const { name, ours, floor, ratio, ratio_min, ratio_max, goal, cost } = result;
  const wanted = goal === null ? ["", ""] : [goal.toFixed(2), ratio >= goal ? "met" : "missed"];
  const spread = `${ratio_min.toFixed(2)}-${ratio_max.toFixed(2)}`;
  const rates = `${line([name, `${ours}/s`, `${floor}/s`, ratio.toFixed(2), spread, ...wanted])}\n`;
  if (cost === undefined) return rates;
  return `${rates}  each: ${costLine(cost.ours)}\n${cost.floor === null ? "" : `  floor: ${costLine(cost.floor)}\n`}`;
}

/** What a request costs. */
function costLine({ index_entries, wal_bytes, statements, flights, service_us, database_us }: Counts): string {
  const sent =
    statements === null || flights === null ? "" : `${statements.toFixed(1)} statements in ${flights.toFixed(1)} flights, `;
  const written = `${index_entries.toFixed(1)} index entries, ${Math.round(wal_bytes)} bytes of WAL`;
  return `${sent}${written}, CPU of the service ${Math.round(service_us)} µs, of the database ${Math.round(database_us)} µs`;
}

/** What has a bound and no floor. */
export function boundedLine({ name, value, goal, unit }: Bounded): string {
  const bound = goal === null ? ["", ""] : [`${goal} ${unit}`, value <= goal ? "met" : "missed"];
  return `${line([name, `${value} ${unit}`, "", "", "", ...bound])}\n`;
}

function line([name = "", ...cells]: string[]): string {
  return `${name.padEnd(28)}${cells.map((cell) => cell.padStart(11)).join("")}`;
}
