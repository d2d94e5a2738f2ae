export { createContact } from "./commands.ts";
export { contactRoutes } from "./routes.ts";
export { ContactCreate } from "./schema.ts";
