// Floor of "follow a link": node:http and the product's own read by code, over two pipelined connections like the product's reads. No
// limits, no signature, no bots, no click, no log.
import { targetOrNull } from "@tributary/server/src/features/money/links/redirect.queries.ts";
import pg from "pg";
import { cycle } from "../requests.ts";
import { catchQuery, ONE_PLAN, readSetting, refuse, serve } from "./floor.ts";

const { statement } = await catchQuery((db) => targetOrNull(db, "", new Date()));
const clients = [0, 1].map(() => new pg.Client({ ...readSetting().connection, ...ONE_PLAN }));
await Promise.all(clients.map((client) => client.connect()));
const nextClient = cycle(clients);

serve((request, response) => {
  const code = request.url?.slice(request.url.lastIndexOf("/") + 1);
  nextClient()
    .query<{ destination_url: string }>({ ...statement, values: [code, new Date()] })
    .then(
      ({ rows }) => {
        response.writeHead(302, { location: rows[0]?.destination_url ?? "", "cache-control": "no-store", "content-length": 0 });
        response.end();
      },
      (error: unknown) => refuse(response, error),
    );
});
