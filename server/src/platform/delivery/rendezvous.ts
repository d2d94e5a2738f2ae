import { hash } from "node:crypto";

/**
 * Which of several workers a thing belongs to. All who know the same workers agree without talking, and when one comes or
 * goes, only what is its own moves.
 */
export function chooseWorker(thing: string, workers: readonly string[]): string | null {
  let chosen: string | null = null;
  let highest = "";
  for (const worker of workers) {
    const weight = hash("md5", `${worker} ${thing}`, "hex");
    if (weight <= highest) continue;
    highest = weight;
    chosen = worker;
  }
  return chosen;
}
