// Floor of "list 50 clients": node:http and the product's own list statement through a pool, the rows joined to one
// text. No key, no cursor, no limits, no log, no audit count.
import { clientsPage } from "@tributary/server/src/features/accounts/clients/list.queries.ts";
import { serveList } from "./floor.ts";

await serveList(50, (db, scope) => clientsPage(db, scope, { limit: 50 }));
