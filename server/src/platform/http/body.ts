import { isUtf8 } from "node:buffer";
import { type Fault, fail } from "../../kernel/errors.ts";
import { textFault } from "../../kernel/storable.ts";

export const BODY_BYTES_MAX = 256 * 1024;
const DEPTH_MAX = 32;
const FAULTS_MAX = 50;

/** Parses a JSON body. Rejects what PostgreSQL or later code cannot handle, with a pointer to it. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) fail("invalid_json", { detail: "The body is not valid UTF-8." });
  const text = bytes.toString("utf8");
  if (isTooDeep(text)) fail("invalid_json", { detail: `The body is nested more than ${DEPTH_MAX} levels deep.` });
  const value = parseJson(text);
  const faults = unstorable(value);
  if (faults.length > 0) fail("validation_failed", { faults });
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    fail("invalid_json", { detail: `The body is not valid JSON: ${(error as Error).message}.`.slice(0, 300) });
  }
}

/** Asked before parsing, because later code walks the value recursively. Brackets inside strings do not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}

/** What in a parsed value cannot be stored. */
export function unstorable(value: unknown): Fault[] {
  const faults: Fault[] = [];
  inspect(value, "#", faults);
  return faults;
}

function inspect(value: unknown, pointer: string, faults: Fault[]): void {
  if (faults.length >= FAULTS_MAX) return;
  if (typeof value === "string") inspectText(value, pointer, faults);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) inspect(item, `${pointer}/${index}`, faults);
  else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) {
      const path = `${pointer}/${escapePointer(name)}`;
      if (name === "__proto__" || name === "constructor" || name === "prototype") {
        faults.push({ in: "body", pointer: path, code: "forbidden_name", detail: `A member must not be named ${name}.` });
      } else {
        inspectText(name, path, faults);
        inspect(member, path, faults);
      }
    }
  }
}

function inspectText(text: string, pointer: string, faults: Fault[]): void {
  const detail = textFault(text);
  if (detail !== null) faults.push({ in: "body", pointer, code: "invalid_text", detail });
}

/** RFC 6901. Names are truncated, because they are echoed to the caller. */
export function escapePointer(name: string): string {
  return name.toWellFormed().slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1");
}
