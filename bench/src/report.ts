import { arch, availableParallelism, platform, totalmem } from "node:os";
import type pg from "pg";
import type { Result } from "./rounds.ts";

export type Machine = { cores: number; memory_gib: number; platform: string; node: string; postgres: string };

export async function describeMachine(owner: pg.Pool): Promise<Machine> {
  const { rows } = await owner.query<{ server_version: string }>("show server_version");
  return {
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    node: process.version,
    postgres: rows[0]?.server_version ?? "",
  };
}

export function machineLine({ cores, memory_gib, platform, node, postgres }: Machine): string {
  return `${cores} cores, ${memory_gib} GiB, ${platform}, Node ${node}, PostgreSQL ${postgres}`;
}

const COLUMNS = ["what", "ours", "floor", "ratio", "spread", "goal", ""] as const;

export function tableHead(): string {
  return `${line([...COLUMNS])}\n`;
}

export function tableLine(result: Result): string {
  const { name, ours, floor, ratio, ratio_min, ratio_max, goal } = result;
  const met = ratio >= goal ? "met" : "missed";
  const spread = `${ratio_min.toFixed(2)}-${ratio_max.toFixed(2)}`;
  return `${line([name, `${ours}/s`, `${floor}/s`, ratio.toFixed(2), spread, goal.toFixed(2), met])}\n`;
}

function line([name = "", ...cells]: string[]): string {
  return `${name.padEnd(20)}${cells.map((cell) => cell.padStart(11)).join("")}`;
}
