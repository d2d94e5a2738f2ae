import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import type { Session } from "../api/session.ts";
import { Empty } from "../ui/empty.tsx";
import { Failure } from "../ui/failure.tsx";
import { Page } from "../ui/page.tsx";
import type { PageRoute } from "../ui/route.ts";
import { OPEN_ROUTES } from "./session/routes.tsx";
import { Shell } from "./shell/shell.tsx";

function Missing() {
  return (
    <Page title="Not found">
      <Empty title="There is no such page">The address may be old, or part of it may be missing.</Empty>
    </Page>
  );
}

/** Addresses are for people: every value is the text that stands there. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (values: Record<string, unknown>) => {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? "" : `?${search}`;
};

/** The pages of whoever is signed in. To others every address shows the sign-in page, and leads where they wanted to go. */
export function createPortalRouter(session: Session | null, pages: readonly PageRoute[]) {
  const root = createRootRoute({ component: Outlet });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: () => <Shell pages={pages} /> });
  const open = OPEN_ROUTES.map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) }),
  );
  const own = pages.map(({ path, load }) =>
    createRoute({ getParentRoute: () => shell, path, component: lazyRouteComponent(load) }),
  );
  const missing = createRoute({ getParentRoute: () => shell, path: "$", component: Missing });
  const anywhere = createRoute({
    getParentRoute: () => root,
    path: "$",
    component: lazyRouteComponent(() => import("./session/sign-in.tsx")),
  });
  const home = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: lazyRouteComponent(() => import("./session/sign-in.tsx")),
  });
  return createRouter({
    routeTree: root.addChildren(session === null ? [...open, home, anywhere] : [...open, shell.addChildren([...own, missing])]),
    basepath: "/portal",
    parseSearch,
    stringifySearch,
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultErrorComponent: ({ error, reset }) => <Failure title="This page failed" error={error as Error} retry={reset} />,
    scrollRestoration: true,
  });
}
