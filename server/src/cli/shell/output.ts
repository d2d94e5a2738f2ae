import { once } from "node:events";
import { styleText } from "node:util";
import { type Column, renderTable } from "./table.ts";

/** A page of a list, as the API returns it. */
export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };
export type Style = "bold" | "dim" | "green" | "yellow" | "red";

/** The output of a command: results on standard output, everything else on standard error. */
export type Output = {
  /** Whether --json is set. */
  json: boolean;
  /** The width of the terminal in columns; infinite without a terminal. */
  width: number;
  /** The result: the value as one JSON document, or lines for people. */
  result(value: unknown, lines: () => readonly string[]): void;
  /** One of a stream of results: the value as one line of JSON, or a line for people. */
  item(value: unknown, line: () => string): void;
  /** A list, printed as its pages come: `{data, has_more, next_cursor}`, or a table. */
  list<Item>(pages: AsyncIterable<Page<Item>>, columns: readonly Column<Item>[]): Promise<void>;
  /** Backpressure: waits for a slow reader, so that unread output does not accumulate in memory. */
  drained(): Promise<void>;
  /** A remark for people, on standard error. */
  note(text: string): void;
  /** Colours the text if the output is a terminal with colours. */
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

/** One item per line: one JSON document of any length, never held in memory as a whole. */
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

/** Column widths depend on all rows, so the table is printed at the end. */
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
