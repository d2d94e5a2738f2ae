// Builds the chat into one script for any web page, and compresses it, so that the service only hands out bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = `${root}dist/widget.js`;

await build({
  input: `${root}src/main.ts`,
  // What browsers of the last three years run.
  transform: { target: ["chrome110", "firefox110", "safari16"] },
  output: { file: outfile, format: "iife", minify: true, comments: { legal: false } },
});
writeFileSync(`${outfile}.gz`, gzipSync(readFileSync(outfile), { level: 9 }));
