// Floor of "get one client": node:http and the product's own select by primary key, its JSON rendered by PostgreSQL,
// over two pipelined connections like the product's reads. No key, no limits, no log, no audit count.
import { clientOrNull } from "@tributary/server/src/features/clients/queries.ts";
import pg from "pg";
import { cycle } from "../requests.ts";
import { answer, catchQuery, ONE_PLAN, readSetting, refuse, serve } from "./floor.ts";

const ID = "the id";
const { connection, partner_id } = readSetting();
const { statement, values } = await catchQuery((db) => clientOrNull(db, { partner_id, clients: "all" }, ID));
const clients = [0, 1].map(() => new pg.Client({ ...connection, ...ONE_PLAN }));
await Promise.all(clients.map((client) => client.connect()));
const nextClient = cycle(clients);

serve((request, response) => {
  const id = request.url?.slice(request.url.lastIndexOf("/") + 1);
  const query = { ...statement, values: values.map((value) => (value === ID ? id : value)) };
  nextClient()
    .query<{ json: string }>(query)
    .then(
      ({ rows }) => answer(response, 200, rows[0]?.json ?? ""),
      (error: unknown) => refuse(response, error),
    );
});
