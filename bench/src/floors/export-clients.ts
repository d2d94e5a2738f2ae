// Floor of an export: node:http and the product's own list statement through a pool, page after page by keyset, each row
// written as a line. No key, no limits, no audit entry, no look at the key between pages, no CSV.
import { once } from "node:events";
import { clientListing } from "@tributary/server/src/features/accounts/clients/list.queries.ts";
import { encodeCursor } from "@tributary/server/src/kernel/page.ts";
import { keysetRows } from "@tributary/server/src/platform/db/keyset.ts";
import type { Statement } from "@tributary/server/src/platform/db/statement.ts";
import pg from "pg";
import { POOL_SIZE, readSetting, refuse, serve } from "./floor.ts";

const PAGE = 100;
const { connection, partner_id } = readSetting();
const pool = new pg.Pool({ ...connection, max: POOL_SIZE });
const db = {
  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return (await pool.query({ ...statement, values: [...values] })).rows as Row[];
  },
};

async function* pages(): AsyncGenerator<string> {
  const listing = clientListing({ partner_id, clients: "all" }, {});
  let cursor: string | undefined;
  do {
    const rows: { id: string; json: string }[] = await keysetRows(db, partner_id, listing, { limit: PAGE, cursor });
    const shown = rows.slice(0, PAGE);
    yield shown.map(({ json }) => `${json}\n`).join("");
    cursor = rows.length > PAGE ? encodeCursor(listing.list, [shown.at(-1)?.id ?? ""]) : undefined;
  } while (cursor !== undefined);
}

serve(async (_request, response) => {
  try {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for await (const page of pages()) if (!response.write(page)) await once(response, "drain");
    response.end();
  } catch (error) {
    refuse(response, error);
  }
});
