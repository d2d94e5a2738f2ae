import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Refusal } from "../kernel/errors.ts";
import type { TSchema } from "../platform/http/type.ts";
import type { Call } from "./shell/command.ts";
import { CommandRefusal, UsageError } from "./shell/errors.ts";
import { type Column, renderFields, renderTable } from "./shell/table.ts";

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

/** A row that failed, and what it is known by. */
export type Failed = { row: number; name: string; error: string; detail: string };

type Batches<Item> = {
  /** How many rows the file has. */
  rows: number;
  /** The rows that are right, with what is sent of each. */
  items: readonly { row: number; item: Item }[];
  /** Those that failed already. */
  failed: readonly Failed[];
  batch_max: number;
  /** What the result of a batch counts besides the failed ones. */
  counts: readonly string[];
  /** What a row is known by, as the output calls it, such as external_id. */
  known_by: string;
  nameOf(item: Item): string;
  /** Reports some items by the API's own command, which has a result for each and counts them. */
  send(items: Item[]): Promise<{ json: string }>;
};

/** Reports the rows of a file in batches, and prints how many were and which failed. The exit code is 1 if some did. */
export async function reportRows<Item>(out: Call["out"], batches: Batches<Item>): Promise<0 | 1> {
  const { rows, items, batch_max, counts, known_by, nameOf, send } = batches;
  const failed = [...batches.failed];
  const total = Object.fromEntries(counts.map((name) => [name, 0]));
  for (let at = 0; at < items.length; at += batch_max) {
    const batch = items.slice(at, at + batch_max);
    const { data, ...counted } = JSON.parse((await send(batch.map(({ item }) => item))).json);
    for (const name of counts) total[name] += counted[name];
    for (const [index, { row, item }] of batch.entries()) {
      const { error } = data[index];
      if (error !== undefined) failed.push({ row, name: nameOf(item), error: error.code, detail: error.detail });
    }
  }
  failed.sort((a, b) => a.row - b.row);
  const summary = { rows, ...total, failed: failed.length };
  const failures = failed.map(({ row, name, error, detail }) => ({ row, [known_by]: name, error, detail }));
  out.result({ ...summary, failures }, () => [
    ...renderFields(Object.fromEntries(Object.entries(summary).map(([name, count]) => [name, String(count)]))),
    ...(failed.length === 0 ? [] : ["", ...renderTable(failed, columnsOf(known_by), out.width)]),
  ]);
  return failed.length === 0 ? 0 : 1;
}

const columnsOf = (known_by: string): readonly Column<Failed>[] => [
  { title: "row", of: ({ row }) => row, right: true },
  { title: known_by.replace("_", " "), of: ({ name }) => name, whole: true },
  { title: "error", of: ({ error }) => error, whole: true },
  { title: "detail", of: ({ detail }) => detail },
];
