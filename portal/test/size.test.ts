import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");
const LIMIT_KB = 210;

type Chunk = { file: string; imports?: string[]; css?: string[] };

/** Everything that a page needs before it is drawn: its own chunk and all that those import. */
function closure(manifest: Record<string, Chunk>, names: readonly string[]): ReadonlyMap<string, Chunk> {
  const found = new Map<string, Chunk>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`${name} is not in the manifest`);
    if (found.has(name)) return;
    found.set(name, chunk);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const name of names) visit(name);
  return found;
}

test(`the signed-in home needs less than ${LIMIT_KB} KB of script, and no chart library`, () => {
  const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const home = closure(manifest, ["index.html", "src/app/routes.tsx", "src/features/home/home.tsx"]);
  const scripts = [...home.values()].map(({ file }) => ({ file, bytes: readFileSync(join(DIST, `${file}.gz`)).length }));
  const total_kb = scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
  expect(total_kb, scripts.map(({ file, bytes }) => `${file} ${bytes}`).join("\n")).toBeLessThan(LIMIT_KB);
  for (const { file } of home.values()) {
    expect(readFileSync(join(DIST, file), "utf8"), file).not.toMatch(/recharts-|Recharts/);
  }
});
