import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const { default: configuration } = await import(new URL("../../.dependency-cruiser.mjs", import.meta.url).href);
const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

/** A small tree that keeps every rule. */
const GOOD: Record<string, string[]> = {
  "kernel/ids.ts": [],
  "platform/db/pool.ts": ["../../kernel/ids.ts", "pg"],
  "platform/http/server.ts": ["fastify"],
  "features/accounts/clients/queries.ts": ["../../../platform/db/pool.ts"],
  "features/accounts/clients/index.ts": ["./queries.ts"],
  "features/accounts/pipelines/index.ts": ["../clients/index.ts"],
  "surfaces/api.ts": ["../features/accounts/pipelines/index.ts"],
  "app.ts": ["./surfaces/api.ts"],
  "cli/commands.ts": ["../app.ts"],
};

/** What the cruiser reads of a tree, with the rules of the product. */
async function read(files: Record<string, string[]>): Promise<ICruiseResult> {
  const tree = mkdtempSync(join(tmpdir(), "tributary-imports-"));
  trees.push(tree);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  for (const [path, imports] of Object.entries(files))
    write(`server/src/${path}`, imports.map((target) => `import ${JSON.stringify(target)};\n`).join(""));
  write("package.json", JSON.stringify({ type: "module", dependencies: { pg: "1", fastify: "1" } }));
  for (const name of ["pg", "fastify", "undeclared"]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(`node_modules/${name}/index.js`, "");
  }
  const options = { ...configuration.options, baseDir: tree, ruleSet: { forbidden: configuration.forbidden }, validate: true };
  const { output } = await cruise(["server/src"], options);
  if (typeof output === "string") throw new Error(output);
  expect(output.modules.length).toBeGreaterThanOrEqual(Object.keys(files).length);
  return output;
}

test("a tree that keeps the rules has no fault", async () => {
  expect((await read(GOOD)).summary.violations).toEqual([]);
});

const BROKEN: [rule: string, path: string, target: string][] = [
  ["kernel-imports-nothing-above", "kernel/ids.ts", "../platform/http/server.ts"],
  ["kernel-imports-nothing", "kernel/ids.ts", "fastify"],
  ["platform-imports-nothing-above", "platform/http/server.ts", "../../surfaces/api.ts"],
  ["features-imports-nothing-above", "features/accounts/clients/queries.ts", "../../../surfaces/api.ts"],
  ["surfaces-imports-nothing-above", "surfaces/other.ts", "../app.ts"],
  ["accounts/clients-uses-what-it-says", "features/accounts/clients/index.ts", "../pipelines/index.ts"],
  ["accounts/pipelines-uses-what-it-says", "features/accounts/pipelines/index.ts", "../clients/queries.ts"],
  ["no-cycles", "features/accounts/clients/queries.ts", "./index.ts"],
  ["no-unlisted-feature", "features/accounts/nameless/index.ts", "../../../kernel/ids.ts"],
  ["a-feature-shows-its-face", "surfaces/api.ts", "../features/accounts/clients/queries.ts"],
  ["nothing-imports-the-command-line", "app.ts", "./cli/commands.ts"],
  ["pg-only-in-platform", "features/accounts/clients/queries.ts", "pg"],
  ["fastify-only-at-the-edge", "features/accounts/clients/queries.ts", "fastify"],
  ["no-undeclared-package", "surfaces/api.ts", "undeclared"],
  ["resolvable", "surfaces/api.ts", "./nowhere.ts"],
];

describe("in a tree that breaks every rule", () => {
  /** One tree for all, because to begin takes the cruiser most of the time. */
  let faults: string[];
  beforeAll(async () => {
    const tree = { ...GOOD };
    for (const [, path, target] of BROKEN) tree[path] = [...(tree[path] ?? []), target];
    faults = (await read(tree)).modules.flatMap(({ source, dependencies }) =>
      dependencies.flatMap(({ module, rules = [] }) => rules.map(({ name }) => `${name}: ${source} imports ${module}`)),
    );
  });

  test.each(BROKEN)("%s fails where %s imports %s", (rule, path, target) => {
    expect(faults).toContain(`${rule}: server/src/${path} imports ${target}`);
  });
});
