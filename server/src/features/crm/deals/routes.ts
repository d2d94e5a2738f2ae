import { type Route, route } from "../../../platform/http/route.ts";
import { checkInclude } from "../contacts/index.ts";
import { bulkChange } from "../records/index.ts";
import { timelineRoutesOf } from "../timeline/index.ts";
import { getBoard } from "./board/commands.ts";
import { Board, BoardQuery } from "./board/schema.ts";
import { dealBulk } from "./bulk.commands.ts";
import { DealBulk, DealBulkResult } from "./bulk.schema.ts";
import { createDeal, dealTimeline, deleteDeal, getDeal, updateDeal } from "./commands.ts";
import { dealsPage } from "./list.queries.ts";
import { DealList, DealListQuery } from "./list.schema.ts";
import { registerSale } from "./registration/sale.commands.ts";
import { Deal, DealCreate, DealPatch, SaleCreate } from "./schema.ts";
import { changeStage, getHistory } from "./stage/commands.ts";
import { stageHistoryPage } from "./stage/queries.ts";
import { DealHistory, HistoryQuery, StageHistory, StageHistoryQuery, StageMove } from "./stage/schema.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "deal" } } as const;

const OF_NEW = [
  "duplicate_deal",
  "deal_conflict",
  "registration_limit_reached",
  "stage_not_in_pipeline",
  "stage_rule_violation",
  "unknown_plan",
  "commission_locked",
] as const;

const list = route({
  operation: "deals.list",
  method: "GET",
  path: "/deals",
  summary: "List deals",
  description:
    "Custom fields are filters too: `custom.<key>=value`. The deals of a contact include those of contacts merged into it.",
  scope: "deals:read",
  ...none,
  query: DealListQuery,
  exportable: true,
  reply: { status: 200, schema: DealList },
  handle: (ctx, { query }) => {
    checkInclude(ctx, query);
    return dealsPage(ctx.db, ctx.scope, query, ctx.clock.now());
  },
});

const create = route({
  operation: "deals.create",
  method: "POST",
  path: "/deals",
  summary: "Create a deal",
  description:
    "Without a stage, the deal starts in the first open stage of the account's default pipeline. `name` defaults to the company. A deal of the house account with a company and a plan is a sale, and is registered.",
  scope: "deals:write",
  ...none,
  body: DealCreate,
  errors: [...OF_NEW, "client_inactive", "account_required"],
  reply: { status: 201, schema: Deal, location: (id) => `/deals/${id}` },
  handle: (ctx, { body }) => createDeal(ctx, body),
});

const get = route({
  operation: "deals.get",
  method: "GET",
  path: "/deals/{id}",
  summary: "Get a deal",
  scope: "deals:read",
  ...one,
  reply: { status: 200, schema: Deal },
  handle: (ctx, { params }) => getDeal(ctx, params.id),
});

const update = route({
  operation: "deals.update",
  method: "PATCH",
  path: "/deals/{id}",
  summary: "Update a deal",
  description: "The stage is changed by POST …/stage.",
  scope: "deals:write",
  ...one,
  body: DealPatch,
  errors: ["duplicate_deal", "deal_won", "deal_conflict", "client_inactive", "unknown_plan"],
  reply: { status: 200, schema: Deal },
  handle: (ctx, { params, body }) => updateDeal(ctx, params.id, body),
});

const history = route({
  operation: "deals.history",
  method: "GET",
  path: "/deals/{id}/history",
  summary: "List the stage history of a deal",
  description: "Newest first, with the days in each stage.",
  scope: "deals:read",
  ...one,
  query: HistoryQuery,
  reply: { status: 200, schema: DealHistory },
  handle: (ctx, { params, query }) => getHistory(ctx, params.id, query),
});

const stageHistory = route({
  operation: "deals.stage_history",
  method: "GET",
  path: "/deals/stage-history",
  summary: "List the stage history of all deals",
  description:
    "Every stage that a deal was in, with names and days, for reports. The newest deal first, and of each deal the newest stage.",
  scope: "deals:read",
  ...none,
  query: StageHistoryQuery,
  exportable: true,
  reply: { status: 200, schema: StageHistory },
  handle: (ctx, { query }) => stageHistoryPage(ctx.db, ctx.scope, query, ctx.clock.now()),
});

export const dealRoutes: Route[] = [
  list,
  stageHistory,
  create,
  route({
    operation: "deals.bulk",
    method: "POST",
    path: "/deals/bulk",
    summary: "Create, update, delete, tag or untag deals in bulk",
    description: "Up to 500 deals. Each has its own result, as if it were the only one.",
    scope: "deals:write",
    ...none,
    body: DealBulk,
    reply: { status: 200, schema: DealBulkResult },
    handle: (ctx, { body }) => bulkChange(dealBulk, ctx, body),
  }),
  get,
  update,
  route({
    operation: "deals.delete",
    method: "DELETE",
    path: "/deals/{id}",
    summary: "Delete a deal",
    scope: "deals:write",
    ...one,
    errors: ["deal_won", "client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteDeal(ctx, params.id)),
  }),
  route({
    operation: "deals.move",
    method: "POST",
    path: "/deals/{id}/stage",
    summary: "Move a deal to another stage",
    description: "A move to the current stage changes nothing. `pipeline_id` moves the deal to another pipeline of its account.",
    scope: "deals:write",
    ...one,
    body: StageMove,
    errors: [
      "stage_conflict",
      "stage_not_in_pipeline",
      "stage_rule_violation",
      "client_inactive",
      "registration_closed",
      "registration_limit_reached",
      "deal_conflict",
      "commission_locked",
    ],
    reply: { status: 200, schema: Deal },
    handle: (ctx, { params, body }) => changeStage(ctx, params.id, body),
  }),
  history,
  route({
    operation: "pipelines.board",
    method: "GET",
    path: "/pipelines/{id}/board",
    summary: "Get the board of a pipeline",
    description:
      "The number and value of the deals in each stage, and with `deals` those that entered it last. `stage_id` and `cursor` show the next deals of one stage. `as_of` shows the stages at an earlier time, with the current amounts.",
    scope: "deals:read",
    partner_wide: false,
    params: { id: "pipeline" },
    query: BoardQuery,
    reply: { status: 200, schema: Board },
    handle: (ctx, { params, query }) => getBoard(ctx, params.id, query),
  }),
  ...timelineRoutesOf({ ...dealTimeline, kind: "deal", read: "deals:read", write: "deals:write" }),
];

/** The same deals in the partner API, where every new deal is a sale. */
export const partnerDealRoutes: Route[] = [
  { ...list, operation: "partner_deals.list" },
  { ...stageHistory, operation: "partner_deals.stage_history" },
  route({
    operation: "partner_deals.create",
    method: "POST",
    path: "/deals",
    summary: "Register a sale",
    description:
      "Creates a deal of the house account and registers it, or registers the one in `deal_id`. A sale has a company and a plan; its company is protected.",
    scope: "deals:write",
    partner_wide: true,
    params: {},
    body: SaleCreate,
    errors: [...OF_NEW, "invalid_state_transition"],
    reply: { status: 201, schema: Deal, location: (id) => `/deals/${id}` },
    handle: (ctx, { body }) => registerSale(ctx, body),
  }),
  { ...get, operation: "partner_deals.get" },
  { ...update, operation: "partner_deals.update" },
  { ...history, operation: "partner_deals.history" },
];
