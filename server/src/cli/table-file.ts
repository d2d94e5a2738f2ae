import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Refusal } from "../kernel/errors.ts";
import type { TSchema } from "../platform/http/type.ts";
import { CommandRefusal, UsageError } from "./shell/errors.ts";

type Table = { command: string; columns: readonly string[]; required: readonly string[] };

/** A row with the cells that are not empty, by column. */
type Row = { row: number; cells: { [column: string]: string } };

/** The rows of a CSV file, and how what is made of one is checked with a schema of the API: "" where it is right. */
export async function readTable(file: string, schema: TSchema, { command, columns, required }: Table) {
  const [{ Parser }, { compile }] = await Promise.all([
    import("../features/crm/imports/index.ts"),
    import("../platform/http/validation.ts"),
  ]);
  const parser = new Parser(",", { row: 0, byte_offset: 0 });
  const parsed = [...parser.push(await readWhole(file)), ...parser.end()];
  const header = parsed.shift()?.cells.map((cell) => cell.replace(/^\ufeff/, "").trim()) ?? [];
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length > 0) throw new UsageError(`The file has no column ${missing.join(", ")}.`, command);
  const place = columns.map((name) => header.indexOf(name));
  const rows = parsed.map(({ row, cells }): Row => {
    const filled = columns.flatMap((name, index) => {
      const cell = cells[place[index] ?? -1]?.trim() ?? "";
      return cell === "" ? [] : [[name, cell] as const];
    });
    return { row, cells: Object.fromEntries(filled) };
  });
  const compiled = compile(schema, "body");
  const check = (value: unknown): string => {
    try {
      compiled(value);
      return "";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return (error.explanation.faults ?? []).map(({ detail }) => detail).join(" ");
    }
  };
  return { rows, check };
}

async function readWhole(file: string): Promise<Buffer> {
  if (file === "-") return buffer(process.stdin);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefusal("unreadable_file", `${file} cannot be read (${error.code}).`, "Check its name and its permissions.");
  });
}
