import { hash } from "node:crypto";

/**
 * Assigns a key to a worker by rendezvous hashing: processes that know the same workers agree without communication, and when
 * a worker joins or leaves, only its own keys move.
 */
export function chooseWorker(key: string, workers: readonly string[]): string | null {
  let chosen: string | null = null;
  let highest = "";
  for (const worker of workers) {
    const weight = hash("md5", `${worker} ${key}`, "hex");
    if (weight <= highest) continue;
    highest = weight;
    chosen = worker;
  }
  return chosen;
}
