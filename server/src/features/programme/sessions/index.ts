export { admitPerson, admitUserWork } from "./admission.ts";
export { endAccess } from "./end-access.commands.ts";
export { resetTotp } from "./factor/commands.ts";
export { feature } from "./feature.ts";
export { findSessions } from "./lookup.queries.ts";
export { saveVisits } from "./queries.ts";
