export { inviteUser } from "./commands.ts";
export { feature } from "./feature.ts";
export { issueLink, type Link, mailInvitation, makeSignInLink } from "./links/commands.ts";
export { dropEndedLinks, dropLinks, linkedUserForUpdateOrNull, takeLink, userOfAddressOrNull } from "./links/queries.ts";
export { programmeName, SCOPES_OF_ROLE } from "./model.ts";
export { requireGoodPassword } from "./password.model.ts";
export { activateUser, insertUser, type NewUser, saveLastSeen, saveName, savePassword } from "./queries.ts";
export { Name as UserName, UserCreate } from "./schema.ts";
