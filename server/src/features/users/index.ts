export { inviteUser } from "./commands.ts";
export { insertUser, type NewUser } from "./queries.ts";
export { userRoutes } from "./routes.ts";
export { UserCreate } from "./schema.ts";
