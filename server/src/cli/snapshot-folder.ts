import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Manifest } from "../features/snapshots/catalogue/index.ts";
import { CommandRefusal } from "./shell/errors.ts";

/** What snapshot.yaml says. Without an id it is not in the catalogue yet. */
export type Header = { id?: string; name: string; description?: string | null; format: number; version?: number };

/** A snapshot in a folder: `files` has the path of each asset, for faults. */
export type Folder = { header: Header; manifest: { format: number; assets: Entry[] }; files: string[] };
type Entry = { type: string; key: string; spec: unknown };

export const HEADER_FILE = "snapshot.yaml";
const READ = [".yaml", ".yml", ".json"];

/** Members that are files of their own, so that people can edit and compare them as text. */
const TEXTS: Record<string, string> = { message_template: "text" };

/** Reads a folder: snapshot.yaml, and an asset from each file of the folders in it. */
export async function readFolder(folder: string): Promise<Folder> {
  const { parse } = await import("yaml");
  const read = async (path: string): Promise<unknown> => {
    const text = await readFile(join(folder, path), "utf8").catch((error: NodeJS.ErrnoException) =>
      refuse(`${join(folder, path)} cannot be read (${error.code}).`, "tributary snapshots pull writes such a folder."),
    );
    try {
      return parse(text, { version: "1.2", uniqueKeys: true });
    } catch (error) {
      return refuse(`${join(folder, path)} is not valid YAML: ${(error as Error).message.trim()}`, "Correct the file.");
    }
  };
  const header = headerOf(await read(HEADER_FILE), join(folder, HEADER_FILE));
  const all = await filesOf(folder, await typesIn(folder));
  const files = all.filter((path) => READ.includes(extname(path)));
  const texts = new Set(all.filter((path) => extname(path) === ".txt"));
  const assets: Entry[] = [];
  for (const path of files) {
    const [type, key] = [dirname(path), basename(path, extname(path))];
    const member = TEXTS[type];
    const text = `${type}/${key}.txt`;
    const spec = await read(path);
    const beside =
      member !== undefined && texts.has(text) ? { [member]: unwrapped(await readFile(join(folder, text), "utf8")) } : {};
    assets.push({ type, key, spec: isObject(spec) ? { ...spec, ...beside } : spec });
  }
  return { header, manifest: { format: header.format, assets }, files };
}

function headerOf(value: unknown, path: string): Header {
  const { id, name, description = null, format, version } = isObject(value) ? value : {};
  const fits =
    typeof name === "string" &&
    Number.isSafeInteger(format) &&
    (description === null || typeof description === "string") &&
    (id === undefined ? version === undefined : typeof id === "string" && Number.isSafeInteger(version));
  if (!fits) refuse(`${path} needs a name and a format, and id and version together or not at all.`, "Write format: 1.");
  return { name, description, format: Number(format), ...(id === undefined ? {} : { id, version: Number(version) }) } as Header;
}

/** Writes a snapshot into a folder, and removes the files of assets that it does not have. */
export async function writeFolder(folder: string, header: Header, manifest: Manifest, schemas: Schemas): Promise<string[]> {
  const wanted = new Map([[HEADER_FILE, await headerText(header)]]);
  for (const { type, key, spec } of manifest.assets) {
    for (const [ending, text] of await textsOf(type, spec, schemas[type])) wanted.set(`${type}/${key}${ending}`, text);
  }
  const obsolete = (await filesOf(folder, Object.keys(schemas))).filter((path) => !wanted.has(path));
  for (const path of obsolete) await rm(join(folder, path));
  for (const [path, text] of wanted) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return [...wanted.keys()];
}

export async function writeHeader(folder: string, header: Header): Promise<void> {
  await writeFile(join(folder, HEADER_FILE), await headerText(header));
}

async function headerText({ id, name, description = null, format, version }: Header): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify({ id, name, ...(description === null ? {} : { description }), format, version }, STYLE);
}

/** No line is folded, so that a change of a value is a change of one line. */
const STYLE = { lineWidth: 0, version: "1.2" } as const;

/** The schemas of specs by type: files have members in their order, which is the order of the reference. */
export type Schemas = Readonly<Record<string, object>>;

async function textsOf(type: string, spec: Record<string, unknown>, schema: object | undefined): Promise<[string, string][]> {
  const { stringify } = await import("yaml");
  const member = TEXTS[type];
  const text = member === undefined ? undefined : spec[member];
  // A text with carriage returns would not come back as it was: version control may change them.
  if (member === undefined || typeof text !== "string" || text.includes("\r"))
    return [[".yaml", stringify(inOrder(spec, schema), STYLE)]];
  const { [member]: _, ...rest } = spec;
  return [
    [".yaml", stringify(inOrder(rest, schema), STYLE)],
    [".txt", `${text}\n`],
  ];
}

/** Editors end a file with a line break, which is not part of the text. */
function unwrapped(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}

type Schema = { properties?: Record<string, object>; items?: object };

function inOrder(value: unknown, schema: Schema = {}): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, schema.items));
  if (!isObject(value)) return value;
  const known = Object.keys(schema.properties ?? {});
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => rank(a) - rank(b))
      .map(([name, member]) => [name, inOrder(member, schema.properties?.[name])]),
  );
}

/** Every folder that may be one of a type: an asset in a folder with a typo is refused, not forgotten. */
async function typesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && /^[a-z_]+$/.test(entry.name)).map(({ name }) => name);
}

export async function folderIsEmpty(folder: string): Promise<boolean> {
  return readFile(join(folder, HEADER_FILE)).then(
    () => false,
    () => true,
  );
}

/** The files of assets in a folder, in order. Anything else in it is the user's own. */
async function filesOf(folder: string, types: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const type of types) {
    const names = await readdir(join(folder, type)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    found.push(...names.filter((name) => [...READ, ".txt"].includes(extname(name))).map((name) => `${type}/${name}`));
  }
  return found.sort();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(message: string, remedy: string): never {
  throw new CommandRefusal("invalid_folder", message, remedy);
}
