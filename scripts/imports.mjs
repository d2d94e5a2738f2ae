// Holds the import rules of .dependency-cruiser.mjs, and that the cruiser saw the code at all: under a TypeScript that
// it cannot read, it finds nothing and reports success.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import configuration from "../.dependency-cruiser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const files = readdirSync("server/src", { recursive: true }).filter((file) => file.endsWith(".ts"));
const { output } = await cruise(
  ["server/src"],
  { ...configuration.options, ruleSet: { forbidden: configuration.forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig("tsconfig.json") },
);
const seen = output.modules.filter(({ source }) => source.startsWith("server/src/"));
const faults = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
if (seen.length < files.length) faults.push(`only ${seen.length} of ${files.length} modules were read`);
if (!seen.some(({ dependencies }) => dependencies.length > 0)) faults.push("no import was read");
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
