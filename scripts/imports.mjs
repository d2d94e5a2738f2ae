// Holds the import rules of .dependency-cruiser.mjs, and that the cruiser saw the code at all: under a TypeScript that
// it cannot read, it finds nothing and reports success.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import configuration from "../.dependency-cruiser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const faults = [
  ...(await faultsOf("server/src", "tsconfig.json")),
  ...(await faultsOf("portal/src", "portal/tsconfig.json")),
  ...(await faultsOf("widget/src", "widget/tsconfig.json")),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);

async function faultsOf(folder, tsconfig) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  const { output } = await cruise(
    [folder],
    { ...configuration.options, ruleSet: { forbidden: configuration.forbidden }, validate: true },
    undefined,
    { tsConfig: extractTSConfig(tsconfig) },
  );
  const seen = output.modules.filter(({ source }) => source.startsWith(`${folder}/`));
  const faults = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  if (seen.length < files.length) faults.push(`only ${seen.length} of ${files.length} modules of ${folder} were read`);
  if (!seen.some(({ dependencies }) => dependencies.length > 0)) faults.push(`no import of ${folder} was read`);
  return faults;
}
