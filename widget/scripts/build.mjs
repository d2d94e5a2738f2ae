// Builds the chat into one script for any web page, and compresses it, so that the service only hands out bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = `${root}dist/widget.js`;

await build({
  entryPoints: [`${root}src/main.ts`],
  outfile,
  bundle: true,
  minify: true,
  format: "iife",
  // What browsers of the last three years run.
  target: ["chrome110", "firefox110", "safari16"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});
writeFileSync(`${outfile}.gz`, gzipSync(readFileSync(outfile), { level: 9 }));
