// Floor of "get one client": node:http and the product's own select by primary key, its JSON rendered by PostgreSQL,
// over two pipelined connections like the product's reads. No key, no limits, no log, no audit count.
import { clientOrNull } from "@tributary/server/src/features/accounts/clients/queries.ts";
import { serveOne } from "./floor.ts";

await serveOne(clientOrNull);
