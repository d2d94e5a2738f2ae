import type { PageRoute } from "../../ui/route.ts";

const list = () => import("./list.tsx");
const one = () => import("./one.tsx");

export const pipelineRoutes: readonly PageRoute[] = [
  { path: "/settings/pipelines", load: list },
  { path: "/settings/pipelines/$id", load: one },
  { path: "/crm/$account/pipelines", load: list },
  { path: "/crm/$account/pipelines/$id", load: one },
];
