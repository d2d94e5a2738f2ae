export { admitPerson, admitUserWork } from "./admission.ts";
export { endAccess } from "./end-access.queries.ts";
export { feature } from "./feature.ts";
export { findSessions } from "./lookup.queries.ts";
export { saveVisits } from "./queries.ts";
