export { activityRoutes, changeRoutes } from "./routes.ts";
