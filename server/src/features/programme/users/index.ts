export { inviteUser } from "./commands.ts";
export { feature } from "./feature.ts";
export { insertUser, type NewUser } from "./queries.ts";
export { UserCreate } from "./schema.ts";
