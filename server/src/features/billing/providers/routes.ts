import { type Route, route } from "../../../platform/http/route.ts";
import { archiveProvider, createProvider, getProvider, listProviders, testProvider, updateProvider } from "./commands.ts";
import { Provider, ProviderCreate, ProviderList, ProviderListQuery, ProviderPatch, ProviderTest } from "./schema.ts";

const all = { partner_wide: false, path: "/billing/providers", params: {} } as const;
const one = { partner_wide: false, path: "/billing/providers/{id}", params: { id: "payment_provider" } } as const;

export const providerRoutes: Route[] = [
  route({
    ...all,
    operation: "payment_providers.list",
    method: "GET",
    summary: "List payment providers",
    scope: "billing:read",
    query: ProviderListQuery,
    reply: { status: 200, schema: ProviderList },
    handle: (ctx, { query }) => listProviders(ctx, query),
  }),
  route({
    ...all,
    operation: "payment_providers.create",
    method: "POST",
    summary: "Create a payment provider",
    description:
      "For one account, or with `account_id: null` for all accounts of the partner. An account's own come first. Secrets are stored encrypted and never shown again. Give `hook_path` to the provider, then test it.",
    scope: "billing:write",
    body: ProviderCreate,
    errors: ["account_required", "client_inactive", "partner_wide_key_required"],
    reply: { status: 201, schema: Provider, location: (id) => `/billing/providers/${id}` },
    handle: (ctx, { body }) => createProvider(ctx, body),
  }),
  route({
    ...one,
    operation: "payment_providers.get",
    method: "GET",
    summary: "Get a payment provider",
    scope: "billing:read",
    reply: { status: 200, schema: Provider },
    handle: (ctx, { params }) => getProvider(ctx, params.id),
  }),
  route({
    ...one,
    operation: "payment_providers.update",
    method: "PATCH",
    summary: "Update a payment provider",
    scope: "billing:write",
    body: ProviderPatch,
    errors: ["client_inactive", "invalid_state_transition", "partner_wide_key_required"],
    reply: { status: 200, schema: Provider },
    handle: (ctx, { params, body }) => updateProvider(ctx, params.id, body),
  }),
  route({
    ...one,
    operation: "payment_providers.archive",
    method: "DELETE",
    summary: "Archive a payment provider",
    description: "No payment starts with it any more. Payments that have started are completed, and can be refunded.",
    scope: "billing:write",
    errors: ["client_inactive", "partner_wide_key_required"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveProvider(ctx, params.id)),
  }),
  route({
    operation: "payment_providers.test",
    method: "POST",
    path: "/billing/providers/{id}/test",
    partner_wide: false,
    params: { id: "payment_provider" },
    summary: "Test a payment provider",
    description: "Asks the provider whether it accepts the secrets.",
    scope: "billing:write",
    unversioned: true,
    reply: { status: 200, schema: ProviderTest },
    handle: (ctx, { params }) => testProvider(ctx, params.id),
  }),
];
