import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test, vi } from "vitest";
import type { Statement } from "../../src/platform/db/statement.ts";
import type { Feature } from "../../src/platform/feature.ts";
import { TABLES } from "../harness/tables.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { faultOf, oneLine } from "./judgement.ts";
import { tablesOf, violationsOf } from "./rules.ts";

const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));

/** Each statement that a module makes when it is loaded, with the feature or the part of the platform that made it. */
const defined: (Statement & { owner: string })[] = [];
let features: readonly Feature[];

beforeAll(async () => {
  // Other test files of the process have loaded modules: those make their statements again.
  vi.resetModules();
  const { onStatement } = await import("../../src/platform/db/statement.ts");
  onStatement((statement) => defined.push({ ...statement, owner: callerOf(modulesOf(new Error())) }));
  const modules = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  // Nothing is imported from cli.ts: it is the program itself and would run.
  for (const file of modules.filter((file) => file !== "cli.ts")) await import(`${SOURCE}${file}`);
  ({ FEATURES: features } = await import("../../src/surfaces/features.ts"));
});

/** The modules on the stack. Vitest would look up the line of each in its source, which takes most of the time. */
function modulesOf(error: Error): string {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName()).join("\n");
  const { stack = "" } = error;
  Error.prepareStackTrace = prepareStackTrace;
  return stack;
}

/** The innermost module that is no machinery for statements: `crm/deals`, `platform/record`. */
function callerOf(stack: string): string {
  const paths = [...stack.matchAll(/\/server\/src\/(\w+)\/([\w-]+)(?:\/([\w-]+))?/g)];
  const [, layer = "", first = "", second = ""] = paths.find(([, layer, part]) => layer !== "platform" || part !== "db") ?? [];
  return layer === "features" ? `${first}/${second}` : `${layer}/${first}`;
}

test("the statements of all modules are seen", () => {
  expect(defined.length).toBeGreaterThan(300);
  expect(new Set(defined.map(({ owner }) => owner)).size).toBeGreaterThan(15);
});

test("a cluster accepts every statement", () => {
  expect(defined.flatMap((statement) => faultOf(statement) ?? []).join("\n\n")).toBe("");
});

test("a statement writes the tables of its own feature, and reads those that the feature says it reads", () => {
  const strangers = defined.flatMap(({ owner, text }) => {
    const { reads, writes } = tablesOf(text);
    const allowed = features.find(({ name }) => name === owner)?.reads;
    const written = writes.filter((table) => TABLES[table]?.owner !== owner);
    const read = reads.filter((table) => {
      const { owner: other = "", distribution } = TABLES[table] ?? {};
      const everybodys = other.startsWith("platform/") || distribution === "global";
      return allowed !== undefined && other !== owner && !everybodys && !allowed.includes(other);
    });
    return [
      ...written.map((table) => `${owner} writes ${table}: ${oneLine(text)}`),
      ...read.map((table) => `${owner} reads ${table}: ${oneLine(text)}`),
    ];
  });
  expect(strangers).toEqual([]);
});

test("every exception is needed", () => {
  const needless = EXCEPTIONS.filter(
    ({ rule, begins, composed }) =>
      composed !== true &&
      !defined.some(
        ({ text }) => oneLine(text).startsWith(begins) && violationsOf(text).some((violation) => violation.rule === rule),
      ),
  );
  expect(needless).toEqual([]);
});
