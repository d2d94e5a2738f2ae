import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

/** A file of the built portal, in the encodings that the build wrote. */
export type PortalFile = { type: string; raw: Buffer; br: Buffer | null; gzip: Buffer | null };

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Every file of the built portal by its path below /portal. Exact paths only, so that none can lead out. Null: not built. */
export function readPortal(folder: string): ReadonlyMap<string, PortalFile> | null {
  if (!existsSync(join(folder, "index.html"))) return null;
  const files = new Map<string, PortalFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const encoded = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : null);
    files.set(`/${relative(folder, path).split(sep).join("/")}`, {
      type,
      raw: readFileSync(path),
      br: encoded(".br"),
      gzip: encoded(".gz"),
    });
  }
  return files;
}

/** The smallest form that the browser accepts. */
export function encodingFor(file: PortalFile, accepted: string): { body: Buffer; encoding: "br" | "gzip" | null } {
  const names = accepted.split(",").map((part) => part.trim().split(";")[0]);
  if (file.br !== null && names.includes("br")) return { body: file.br, encoding: "br" };
  if (file.gzip !== null && names.includes("gzip")) return { body: file.gzip, encoding: "gzip" };
  return { body: file.raw, encoding: null };
}
