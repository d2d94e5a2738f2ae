import { decimalOf } from "../kernel/money.ts";
import type { Call, Option } from "./shell/command.ts";
import type { Page } from "./shell/output.ts";
import type { Column } from "./shell/table.ts";

const PAGE_MAX = 100;

/** The options of every list. */
export const LIST_OPTIONS = {
  limit: { type: "integer", value: "N", default: 25, description: "Page size, 1 to 100." },
  cursor: { type: "text", value: "CURSOR", description: "The next_cursor of the previous page." },
  all: { type: "flag", description: "List all pages." },
} as const satisfies Record<string, Option>;

type Listing<Item> = {
  noun: string;
  options: { limit: number; cursor: string | undefined; all: boolean };
  columns: readonly Column<Item>[];
  /** A page as the API returns it. */
  page(query: { limit: number; cursor?: string }): Promise<{ json: string }>;
};

/** Prints a list of the API, one page or all. */
export async function printList<Item>({ out, signal }: Pick<Call, "out" | "signal">, listing: Listing<Item>): Promise<void> {
  const { noun, options, columns, page } = listing;
  let count = 0;
  let more: string | null = null;
  async function* pages(): AsyncGenerator<Page<Item>> {
    let cursor = options.cursor;
    do {
      signal.throwIfAborted();
      const query = { limit: options.all ? PAGE_MAX : options.limit, ...(cursor === undefined ? {} : { cursor }) };
      const found: Page<Item> = JSON.parse((await page(query)).json);
      count += found.data.length;
      more = found.next_cursor;
      cursor = found.next_cursor ?? undefined;
      yield found;
    } while (options.all && cursor !== undefined);
  }
  await out.list(pages(), columns);
  if (count === 0) out.note(`No ${noun}.`);
  else if (more !== null) out.note(`There are more: --all lists all pages, --cursor ${more} the next one.`);
}

/** Date and minute, to fit into a list. */
export function shortTime(time: string | null): string | null {
  return time === null ? null : `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}

/** An amount in its currency, such as 499.00 usd. */
export function money(cents: number, currency: string): string {
  return `${decimalOf(cents, currency)} ${currency}`;
}

/** Amounts by currency in one line, such as 100.00 usd, 90.00 eur. */
export function amountsText(amounts: Record<string, number>): string {
  return Object.entries(amounts)
    .map(([currency, cents]) => money(cents, currency))
    .join(", ");
}
