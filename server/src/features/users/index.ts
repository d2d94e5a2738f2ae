export { insertUser, type NewUser } from "./queries.ts";
export { userRoutes } from "./routes.ts";
