import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change, Unit } from "./places.ts";
import { COPY } from "./setting.ts";

export type Planted = { unit: Unit; change: Change };

/** Makes a mistake in the copy. Returns what takes it out again. */
export function plant({ unit, change }: Planted): () => void {
  const path = join(COPY, unit.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, change.start) + change.by + text.slice(change.end));
  return () => writeFileSync(path, text);
}

/** Those that nobody would have committed are left out: the compiler refuses their file. One of each file is tried at a time. */
export function withoutTypeErrors(all: readonly Planted[]): Planted[] {
  const refused = new Set<Planted>();
  const waiting = new Set(all);
  while (waiting.size > 0) {
    const batch = [...Map.groupBy(waiting, ({ unit }) => unit.file).values()].flatMap(([first]) => first ?? []);
    const takeOut = batch.map(plant);
    const faulty = filesWithTypeErrors();
    for (const undo of takeOut) undo();
    for (const planted of batch) {
      waiting.delete(planted);
      if (faulty.has(planted.unit.file)) refused.add(planted);
    }
  }
  return all.filter((planted) => !refused.has(planted));
}

function filesWithTypeErrors(): Set<string> {
  const args = ["--singleThreaded", "-p", ".", "--tsBuildInfoFile", ".tsbuildinfo"];
  const { stdout } = spawnSync("node", ["node_modules/typescript-7/bin/tsc", ...args], { cwd: COPY, encoding: "utf8" });
  return new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file));
}
