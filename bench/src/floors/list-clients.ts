// Floor of "list 50 clients": node:http and the product's own list statement through a pool, the rows joined to one
// text. No key, no cursor, no limits, no log, no audit count.
import { clientsPage } from "@tributary/server/src/features/clients/list/queries.ts";
import pg from "pg";
import { answer, catchQuery, POOL_SIZE, readSetting, refuse, serve } from "./floor.ts";

const LIMIT = 50;
const { connection, partner_id } = readSetting();
const { statement, values } = await catchQuery((db) => clientsPage(db, { partner_id, clients: "all" }, { limit: LIMIT }));
const pool = new pg.Pool({ ...connection, max: POOL_SIZE });
const query = { ...statement, values: [...values] };

serve((_request, response) => {
  pool.query<{ json: string }>(query).then(
    ({ rows }) => {
      const data = rows.slice(0, LIMIT).map(({ json }) => json);
      answer(response, 200, `{"data":[${data.join(",")}],"has_more":${rows.length > LIMIT},"next_cursor":null}`);
    },
    (error: unknown) => refuse(response, error),
  );
});
