// Floor of "list 50 contacts": as that of clients.
import { contactsPage } from "@tributary/server/src/features/crm/contacts/list.queries.ts";
import { serveList } from "./floor.ts";

await serveList(50, (db, scope) => contactsPage(db, scope, { limit: 50 }));
