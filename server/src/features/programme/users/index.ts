export { inviteUser } from "./commands.ts";
export { feature } from "./feature.ts";
export { SCOPES_OF_ROLE } from "./model.ts";
export { insertUser, type NewUser, saveLastSeen, savePassword } from "./queries.ts";
export { UserCreate } from "./schema.ts";
