import { type Route, route } from "../../../platform/http/route.ts";
import { Me } from "./schema.ts";

export const partnerRoutes: Route[] = [
  route({
    operation: "me.get",
    method: "GET",
    path: "/me",
    summary: "Get the caller",
    description: "The partner and the scopes of the key.",
    scope: "none",
    partner_wide: false,
    beta_exempt: true,
    params: {},
    reply: { status: 200, schema: Me },
    async handle({ principal }) {
      const { partner_id, company, grade, scopes } = principal;
      return { json: JSON.stringify({ partner_id, company, grade, scopes: [...scopes] }) };
    },
  }),
];
