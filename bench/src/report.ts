import { arch, availableParallelism, platform, totalmem } from "node:os";
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
  const { name, ours, floor, ratio, ratio_min, ratio_max, goal } = result;
  const met = ratio >= goal ? "met" : "missed";
  const spread = `${ratio_min.toFixed(2)}-${ratio_max.toFixed(2)}`;
  return `${line([name, `${ours}/s`, `${floor}/s`, ratio.toFixed(2), spread, goal.toFixed(2), met])}\n`;
}

/** What has a bound and no floor. */
export function boundedLine({ name, value, goal, unit }: Bounded): string {
  const bound = goal === null ? ["", ""] : [`${goal} ${unit}`, value <= goal ? "met" : "missed"];
  return `${line([name, `${value} ${unit}`, "", "", "", ...bound])}\n`;
}

function line([name = "", ...cells]: string[]): string {
  return `${name.padEnd(28)}${cells.map((cell) => cell.padStart(11)).join("")}`;
}
