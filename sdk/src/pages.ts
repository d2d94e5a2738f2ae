import type { Client } from "./client.ts";
import type { paths } from "./schema.d.ts";

/** What a list or a feed replies. */
type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };

type ReplyOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Reply } } } };
}
  ? Reply
  : never;

/** Paths whose GET replies with pages. */
export type ListPath = {
  [Path in keyof paths]: [ReplyOf<Path>] extends [never] ? never : ReplyOf<Path> extends Page<unknown> ? Path : never;
}[keyof paths];

export type ItemOf<Path extends ListPath> = ReplyOf<Path> extends Page<infer Item> ? Item : never;

/** Item by item with `for await`, or page by page with `pages()`. */
export type Items<Path extends ListPath> = AsyncIterable<ItemOf<Path>> & { pages(): AsyncIterable<Page<ItemOf<Path>>> };

type Init = { params?: { query?: Record<string, unknown> } };

type QueryOf<Path extends ListPath> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : object;
type FeedPath = {
  [Path in ListPath]: QueryOf<Path> extends never ? never : "after" extends keyof QueryOf<Path> ? Path : never;
}[ListPath];

/** Lists go on at a cursor, feeds after one. A feed that is missing here does not compile. */
const FEEDS: Record<FeedPath, true> = { "/v1/partners/events": true, "/v1/partners/activity": true, "/v1/changes": true };

export function iterate<Path extends ListPath>(client: Client, path: Path, init: Init = {}): Items<Path> {
  const get = client.GET as unknown as (path: Path, init: Init) => Promise<{ data: Page<ItemOf<Path>> }>;
  const parameter = path in FEEDS ? "after" : "cursor";
  async function* pages() {
    let query = { ...init.params?.query };
    for (;;) {
      const { data: page } = await get(path, { ...init, params: { ...init.params, query } });
      yield page;
      if (!page.has_more || page.next_cursor === null) return;
      query = { ...query, [parameter]: page.next_cursor };
    }
  }
  async function* items() {
    for await (const { data } of pages()) yield* data;
  }
  return { pages, [Symbol.asyncIterator]: items };
}
