import { once } from "node:events";
import { styleText } from "node:util";
import { type Column, renderTable } from "./table.ts";

/** A page of a list, as the API's lists give it. */
export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };
export type Style = "bold" | "dim" | "green" | "yellow" | "red";

/** What a command says: results on standard output, everything else on standard error. */
export type Output = {
  /** Whether JSON was asked for. */
  json: boolean;
  /** How many columns the terminal has; no bound where it is none. */
  width: number;
  /** The result: the value as one JSON document, or lines for people. */
  result(value: unknown, lines: () => readonly string[]): void;
  /** One of a stream of results: the value as one line of JSON, or a line for people. */
  item(value: unknown, line: () => string): void;
  /** A list, printed as its pages come: `{data, has_more, next_cursor}`, or a table. */
  list<Item>(pages: AsyncIterable<Page<Item>>, columns: readonly Column<Item>[]): Promise<void>;
  /** Waits for a reader that is slower than we are, so that what it has not read yet is not kept in memory. */
  drained(): Promise<void>;
  /** A remark for people, on standard error. */
  note(text: string): void;
  /** Colours the text where the output is a terminal that wants colours. */
  paint(style: Style, text: string): string;
};

export type OutputOptions = {
  json: boolean;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Record<string, string | undefined>;
};

export function createOutput({ json, stdout, stderr, env }: OutputOptions): Output {
  const colours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const width = Number(env.COLUMNS) || (stdout.isTTY === true ? stdout.columns : undefined) || Number.POSITIVE_INFINITY;
  const print = (lines: readonly string[]) => void (lines.length > 0 && stdout.write(`${lines.join("\n")}\n`));
  const drained = async () => void (stdout.writableNeedDrain && (await once(stdout, "drain")));
  return {
    json,
    width,
    result: (value, lines) => print(json ? [JSON.stringify(value, null, 2)] : lines()),
    item: (value, line) => print([json ? JSON.stringify(value) : line()]),
    drained,
    list: (pages, columns) => (json ? listJson(pages, print, drained) : listTable(pages, columns, width, print)),
    note: (text) => void (json || stderr.write(`${text}\n`)),
    paint: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
  };
}

/** An item a line, so that a list of any length is one document that never has to be held whole. */
async function listJson<Item>(
  pages: AsyncIterable<Page<Item>>,
  print: (lines: readonly string[]) => void,
  drained: () => Promise<void>,
): Promise<void> {
  let open = '{"data":[';
  let last: Pick<Page<Item>, "has_more" | "next_cursor"> = { has_more: false, next_cursor: null };
  for await (const { data, has_more, next_cursor } of pages) {
    last = { has_more, next_cursor };
    const lines = data.map((item, index) => `${index === 0 ? open : ","}${JSON.stringify(item)}`);
    if (data.length > 0) open = ",";
    print(lines);
    await drained();
  }
  const { has_more, next_cursor } = last;
  print([`${open === "," ? "" : open}],"has_more":${has_more},"next_cursor":${JSON.stringify(next_cursor)}}`]);
}

/** A table is set by its widest rows, so it is printed once all are there. */
async function listTable<Item>(
  pages: AsyncIterable<Page<Item>>,
  columns: readonly Column<Item>[],
  width: number,
  print: (lines: readonly string[]) => void,
): Promise<void> {
  const items: Item[] = [];
  for await (const { data } of pages) items.push(...data);
  if (items.length > 0) print(renderTable(items, columns, width));
}
