// Floor of "get one contact": as that of a client.
import { contactOrNull } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { serveOne } from "./floor.ts";

await serveOne(contactOrNull);
