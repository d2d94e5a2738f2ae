export { admitWriter } from "./admission.ts";
export { findKeys, insertKey } from "./queries.ts";
export { keyRoutes } from "./routes.ts";
