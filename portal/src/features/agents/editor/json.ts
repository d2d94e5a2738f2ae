/** Where a value stands in its text: from its first character to after its last. `name` is where its name begins. */
export type Place = { from: number; to: number; name: number };
/** Each value by its JSON pointer, "" for the whole. */
export type Places = ReadonlyMap<string, Place>;
export type Parsed = { value: unknown; places: Places };
export type SyntaxFault = { at: number; detail: string };

const LINE_MAX = 100;

/** JSON for people: what fits a line stands on one. */
export function formatJson(value: unknown, indent = ""): string {
  const line = oneLine(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= LINE_MAX) return line;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${oneLine(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const SPACE = /[\s]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a text of JSON has none
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads JSON, and says where each value stands; or where it is none. */
export function parseJson(text: string): Parsed | SyntaxFault {
  const places = new Map<string, Place>();
  let at = 0;
  const skip = () => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  };
  const fail = (detail: string): never => {
    throw { at, detail } satisfies SyntaxFault;
  };
  const token = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[0];
  };
  const is = (character: string) => {
    skip();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  /** What stands between an opening and its closing, each item read by `item`. */
  const items = (close: string, item: () => void) => {
    if (is(close)) return;
    do item();
    while (is(","));
    if (!is(close)) fail(`A comma or ${close} is missing here.`);
  };
  const read = (pointer: string, name: number): unknown => {
    skip();
    const from = at;
    const value = readValue(pointer);
    places.set(pointer, { from, to: at, name });
    return value;
  };
  const readValue = (pointer: string): unknown => {
    if (is("{")) {
      const found: Record<string, unknown> = {};
      items("}", () => {
        skip();
        const start = at;
        const key = JSON.parse(token(STRING) ?? fail("A name in double quotes is missing here.")) as string;
        if (!is(":")) fail("A colon is missing here.");
        found[key] = read(`${pointer}/${escaped(key)}`, start);
      });
      return found;
    }
    if (is("[")) {
      const found: unknown[] = [];
      items("]", () => {
        skip();
        found.push(read(`${pointer}/${found.length}`, at));
      });
      return found;
    }
    return JSON.parse(token(STRING) ?? token(WORD) ?? fail("A value is missing here."));
  };
  try {
    const value = read("", 0);
    skip();
    if (at < text.length) fail("Nothing may follow the end.");
    return { value, places };
  } catch (fault) {
    if (typeof fault === "object" && fault !== null && "detail" in fault) return fault as SyntaxFault;
    throw fault;
  }
}

/** The line of a character, from 1 on. */
export const lineAt = (text: string, at: number) => text.slice(0, at).split("\n").length;

/** Where a pointer leads; where it leads nowhere, such as to what is missing, the nearest around it. */
export function placeOf(places: Places, pointer: string): Place {
  const found = places.get(pointer);
  if (found !== undefined || pointer === "") return found ?? { from: 0, to: 0, name: 0 };
  return placeOf(places, pointer.slice(0, pointer.lastIndexOf("/")));
}
