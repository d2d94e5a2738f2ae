// Builds the portal into `dist`, and compresses what compresses, so that the service only hands out bytes.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Level 11 takes sixteen times as long for 7 % less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** The index gets a nonce per response, so it is sent as it is. */
const COMPRESSED = /\.(js|css|svg|webmanifest)$/;

await build({ configFile: join(root, "vite.config.ts"), root, logLevel: "warn" });

for (const entry of readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = readFileSync(path);
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
