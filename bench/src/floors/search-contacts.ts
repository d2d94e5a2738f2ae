// Floor of "search contacts": the product's own statement for the same words.
import { contactsPage } from "@tributary/server/src/features/crm/contacts/list.queries.ts";
import { SEARCHED } from "../contacts.ts";
import { serveList } from "./floor.ts";

await serveList(50, (db, scope) => contactsPage(db, scope, { limit: 50, q: SEARCHED }));
