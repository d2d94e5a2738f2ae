import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { closed, page } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { OperatorCommissionList } from "../commissions/index.ts";
import { downloadExport, getExport, startExport } from "./export.commands.ts";
import { exportsPage } from "./export.queries.ts";
import { PayoutExport, PayoutExportCreate, PayoutExportList, PayoutExportListQuery } from "./export.schema.ts";
import { getAnyPayout, listPayoutCommissions, ownerOf } from "./list.commands.ts";
import { allPayoutsPage } from "./list.queries.ts";
import { applyOutcomes, cancelPayout, markFailed, markPaid, retryPayout } from "./outcome.commands.ts";
import { previewRun } from "./preview.commands.ts";
import { followRun, getRun, startRun } from "./run.commands.ts";
import { runsPage } from "./run.queries.ts";
import { PayoutPreview, PayoutPreviewBody, PayoutRun, PayoutRunCreate, PayoutRunList, PayoutRunListQuery } from "./run.schema.ts";
import {
  FailedBody,
  OperatorPayoutDetail,
  OperatorPayoutList,
  OperatorPayoutListQuery,
  PaidBody,
  PayoutOutcomes,
  PayoutOutcomesResult,
} from "./schema.ts";
import { payoutStatement } from "./statement.commands.ts";

const one = { params: { id: "payout" } } as const;
const change = {
  ...one,
  method: "POST",
  errors: ["invalid_state_transition"],
  if_match_required: true,
  reply: { status: 200, schema: OperatorPayoutDetail },
} as const;

const runs: Route[] = [
  operatorRoute({
    operation: "payout_runs.list",
    method: "GET",
    path: "/payout-runs",
    summary: "List payout runs",
    description: "Newest first.",
    params: {},
    query: PayoutRunListQuery,
    exportable: true,
    reply: { status: 200, schema: PayoutRunList },
    handle: (ctx, { query }) => runsPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "payout_runs.create",
    method: "POST",
    path: "/payout-runs",
    summary: "Start a payout run",
    description:
      "Schedules a payout for each partner and currency with approved commissions that reach the minimum. It goes on in the background: follow it for its progress. One runs at a time.",
    params: {},
    body: PayoutRunCreate,
    body_optional: true,
    errors: ["payout_run_in_progress"],
    reply: { status: 202, schema: PayoutRun, location: (id) => `/payout-runs/${id}` },
    handle: async (ctx, { body }) => {
      const id = await startRun(ctx, body ?? {});
      return { id, ...(await getRun(ctx, id)) };
    },
  }),
  operatorRoute({
    operation: "payout_runs.preview",
    method: "POST",
    path: "/payout-runs/preview",
    summary: "Preview a payout run",
    description: "What a run would schedule now, and what would block it. Nothing is changed.",
    params: {},
    body: PayoutPreviewBody,
    body_optional: true,
    read_only: true,
    reply: { status: 200, schema: PayoutPreview },
    handle: (ctx, { body }) => previewRun(ctx, body ?? {}),
  }),
  operatorRoute({
    operation: "payout_runs.get",
    method: "GET",
    path: "/payout-runs/{id}",
    summary: "Get a payout run",
    description: "With its progress.",
    params: { id: "payout_run" },
    reply: { status: 200, schema: PayoutRun },
    handle: (ctx, { params }) => getRun(ctx, params.id),
  }),
  operatorRoute({
    operation: "payout_runs.follow",
    method: "GET",
    path: "/payout-runs/{id}/events",
    summary: "Follow a payout run",
    description:
      "A stream of server-sent events: `progress` with the run whenever it has changed, and `ended` when it has finished.",
    params: { id: "payout_run" },
    reply: { status: 200, stream: "events" },
    handle: (ctx, { params }) => followRun(ctx, params.id),
  }),
];

const exports: Route[] = [
  operatorRoute({
    operation: "payout_runs.export",
    method: "POST",
    path: "/payout-runs/{id}/export",
    summary: "Make a file for the bank",
    description:
      "Contains the scheduled payouts of a run, which are processing from then on and in no other file. It is made in the background: poll it, then download it.",
    params: { id: "payout_run" },
    unversioned: true,
    body: PayoutExportCreate,
    errors: ["payout_run_in_progress", "nothing_to_export"],
    reply: { status: 202, schema: PayoutExport, location: (id) => `/payout-exports/${id}` },
    handle: (ctx, { params, body }) => startExport(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "payout_exports.list",
    method: "GET",
    path: "/payout-exports",
    summary: "List files for the bank",
    description: "Newest first.",
    params: {},
    query: PayoutExportListQuery,
    reply: { status: 200, schema: PayoutExportList },
    handle: (ctx, { query }) => exportsPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "payout_exports.get",
    method: "GET",
    path: "/payout-exports/{id}",
    summary: "Get a file for the bank",
    params: { id: "payout_export" },
    reply: { status: 200, schema: PayoutExport },
    handle: (ctx, { params }) => getExport(ctx, params.id),
  }),
  operatorRoute({
    operation: "payout_exports.download",
    method: "GET",
    path: "/payout-exports/{id}/file",
    summary: "Download a file for the bank",
    description: "Always the same bytes. It contains the account numbers of partners: each download is in the audit log.",
    params: { id: "payout_export" },
    errors: ["invalid_state_transition"],
    reply: { status: 200, stream: "file" },
    handle: (ctx, { params }) => downloadExport(ctx, params.id),
  }),
];

const payouts: Route[] = [
  operatorRoute({
    operation: "operator_payouts.list",
    method: "GET",
    path: "/payouts",
    summary: "List payouts of all partners",
    description: "Newest first.",
    params: {},
    query: OperatorPayoutListQuery,
    exportable: true,
    reply: { status: 200, schema: OperatorPayoutList },
    handle: (ctx, { query }) => allPayoutsPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "operator_payouts.outcomes",
    method: "POST",
    path: "/payouts/outcomes",
    summary: "Report outcomes of payouts",
    description: "Up to 500 payouts of any partners that were paid or failed, each with its own result, as if reported alone.",
    params: {},
    body: PayoutOutcomes,
    reply: { status: 200, schema: PayoutOutcomesResult },
    handle: (ctx, { body }) => applyOutcomes(ctx, body),
  }),
  operatorRoute({
    ...one,
    operation: "operator_payouts.get",
    method: "GET",
    path: "/payouts/{id}",
    summary: "Get a payout",
    description: "With its attempts.",
    reply: { status: 200, schema: OperatorPayoutDetail },
    handle: (ctx, { params }) => getAnyPayout(ctx, params.id),
  }),
  operatorRoute({
    ...one,
    operation: "operator_payouts.commissions",
    method: "GET",
    path: "/payouts/{id}/commissions",
    summary: "List the commissions of a payout",
    description: "Newest first.",
    query: Type.Object(page, closed),
    exportable: true,
    reply: { status: 200, schema: OperatorCommissionList },
    handle: async (ctx, { params, query }) =>
      listPayoutCommissions(ctx, await ownerOf(ctx, params.id), "operator", params.id, query),
  }),
  operatorRoute({
    ...one,
    operation: "operator_payouts.statement",
    method: "GET",
    path: "/payouts/{id}/statement",
    summary: "Get the statement of a payout",
    description: "A PDF with every commission that it pays.",
    reply: { status: 200, stream: "pdf" },
    handle: async (ctx, { params }) => payoutStatement(ctx, await ownerOf(ctx, params.id), params.id, "pdf"),
  }),
  operatorRoute({
    ...one,
    operation: "operator_payouts.statement_csv",
    method: "GET",
    path: "/payouts/{id}/statement.csv",
    summary: "Get the statement of a payout as CSV",
    description: "The rows of the statement, for a spreadsheet.",
    reply: { status: 200, stream: "csv" },
    handle: async (ctx, { params }) => payoutStatement(ctx, await ownerOf(ctx, params.id), params.id, "csv"),
  }),
  operatorRoute({
    ...change,
    operation: "operator_payouts.paid",
    path: "/payouts/{id}/paid",
    summary: "Mark a payout as paid",
    description: "Emits a `payout.paid` event to the partner. Repeating it changes nothing.",
    body: PaidBody,
    body_optional: true,
    handle: (ctx, { params, body }) => markPaid(ctx, params.id, body ?? {}),
  }),
  operatorRoute({
    ...change,
    operation: "operator_payouts.failed",
    path: "/payouts/{id}/failed",
    summary: "Mark a payout as failed",
    description: "It is still owed: try it again, or cancel it.",
    body: FailedBody,
    handle: (ctx, { params, body }) => markFailed(ctx, params.id, body.failure),
  }),
  operatorRoute({
    ...change,
    operation: "operator_payouts.retry",
    path: "/payouts/{id}/retry",
    summary: "Try a failed payout again",
    description: "With the payout method that the partner has now. Emits a `payout.scheduled` event to the partner.",
    errors: ["invalid_state_transition", "payout_blocked"],
    handle: (ctx, { params }) => retryPayout(ctx, params.id),
  }),
  operatorRoute({
    ...change,
    operation: "operator_payouts.cancel",
    path: "/payouts/{id}/cancel",
    summary: "Cancel a payout",
    description:
      "Its commissions are approved again, and in the next run. One that is in a file for the bank cannot be cancelled.",
    handle: (ctx, { params }) => cancelPayout(ctx, params.id),
  }),
];

export const payoutAdminRoutes: Route[] = [...runs, ...exports, ...payouts];
