import { personRoute, type Route } from "../../../../platform/http/route.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { showLogo } from "./commands.ts";

/** A menu of accounts may ask for the logos of all that it shows at once. */
const AT_ONCE_MAX = 100;

const LogoQuery = Type.Object(
  {
    of: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: "Changes with the logo_url, so that a browser does not show an earlier logo. It has no other effect.",
        examples: ["https://cdn.example/logo.svg"],
      }),
    ),
  },
  closed,
);

export const logoRoutes: Route[] = [
  personRoute({
    operation: "logo.show",
    method: "GET",
    path: "/logo/{id}",
    summary: "Show the logo of an account",
    params: { id: "client" },
    query: LogoQuery,
    errors: ["logo_unavailable"],
    reply: { status: 200, stream: "image", streams_max: AT_ONCE_MAX },
    handle: (ctx, { params }) => showLogo(ctx, params.id),
  }),
];
