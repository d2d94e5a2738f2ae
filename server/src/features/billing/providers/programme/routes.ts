import { operatorRoute, type Route } from "../../../../platform/http/route.ts";
import {
  ProgrammeProvider,
  ProgrammeProviderCreate,
  ProgrammeProviderList,
  ProgrammeProviderListQuery,
  ProgrammeProviderPatch,
  ProviderTest,
} from "../schema.ts";
import {
  archiveProgrammeProvider,
  createProgrammeProvider,
  getProgrammeProvider,
  listProgrammeProviders,
  testProgrammeProvider,
  updateProgrammeProvider,
} from "./commands.ts";

const one = { path: "/providers/{id}", params: { id: "payment_provider" } } as const;

export const programmeProviderRoutes: Route[] = [
  operatorRoute({
    operation: "programme_providers.list",
    method: "GET",
    path: "/providers",
    summary: "List payment providers of the programme",
    params: {},
    query: ProgrammeProviderListQuery,
    reply: { status: 200, schema: ProgrammeProviderList },
    handle: (ctx, { query }) => listProgrammeProviders(ctx, query),
  }),
  operatorRoute({
    operation: "programme_providers.create",
    method: "POST",
    path: "/providers",
    summary: "Create a payment provider of the programme",
    description:
      "It collects the money of payment links with `charge`: for the operator, so that payments become charges and earn commissions.",
    params: {},
    body: ProgrammeProviderCreate,
    reply: { status: 201, schema: ProgrammeProvider, location: (id) => `/providers/${id}` },
    handle: (ctx, { body }) => createProgrammeProvider(ctx, body),
  }),
  operatorRoute({
    ...one,
    operation: "programme_providers.get",
    method: "GET",
    summary: "Get a payment provider of the programme",
    reply: { status: 200, schema: ProgrammeProvider },
    handle: (ctx, { params }) => getProgrammeProvider(ctx, params.id),
  }),
  operatorRoute({
    ...one,
    operation: "programme_providers.update",
    method: "PATCH",
    summary: "Update a payment provider of the programme",
    body: ProgrammeProviderPatch,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: ProgrammeProvider },
    handle: (ctx, { params, body }) => updateProgrammeProvider(ctx, params.id, body),
  }),
  operatorRoute({
    ...one,
    operation: "programme_providers.archive",
    method: "DELETE",
    summary: "Archive a payment provider of the programme",
    description: "No payment starts with it any more. Payments that have started are completed, and can be refunded.",
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveProgrammeProvider(ctx, params.id)),
  }),
  operatorRoute({
    operation: "programme_providers.test",
    method: "POST",
    path: "/providers/{id}/test",
    params: { id: "payment_provider" },
    summary: "Test a payment provider of the programme",
    description: "Asks the provider whether it accepts the secrets.",
    unversioned: true,
    reply: { status: 200, schema: ProviderTest },
    handle: (ctx, { params }) => testProgrammeProvider(ctx, params.id),
  }),
];
