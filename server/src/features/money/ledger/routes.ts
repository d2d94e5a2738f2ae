import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { entriesPage } from "./entries.queries.ts";
import { bookOf, readAccounts, readTrialBalance } from "./read.commands.ts";
import { LedgerAccounts, LedgerEntries, LedgerEntryQuery, LedgerQuery, TrialBalance } from "./schema.ts";

const ENTRIES = "Newest first. Each transfer has two entries: the debit of one account and the credit of another.";
const TRIAL_BALANCE = "The balance of each account on its side. In each currency the debits equal the credits.";

const own = { method: "GET", scope: "commissions:read", partner_wide: true, params: {}, exportable: true } as const;

export const ledgerRoutes: Route[] = [
  route({
    ...own,
    operation: "ledger.accounts",
    path: "/ledger/accounts",
    summary: "List the accounts of the ledger",
    description: "The balance of each account by currency.",
    query: LedgerQuery,
    reply: { status: 200, schema: LedgerAccounts },
    handle: (ctx, { query }) => readAccounts(ctx, ctx.scope, query),
  }),
  route({
    ...own,
    operation: "ledger.entries",
    path: "/ledger/entries",
    summary: "List the entries of the ledger",
    description: ENTRIES,
    query: LedgerEntryQuery,
    reply: { status: 200, schema: LedgerEntries },
    handle: (ctx, { query }) => entriesPage(ctx.db, ctx.scope.partner_id, query),
  }),
  route({
    ...own,
    operation: "ledger.trial_balance",
    path: "/ledger/trial-balance",
    summary: "Get the trial balance",
    description: TRIAL_BALANCE,
    query: LedgerQuery,
    reply: { status: 200, schema: TrialBalance },
    handle: (ctx, { query }) => readTrialBalance(ctx, ctx.scope, query),
  }),
];

const ofPartner = { method: "GET", params: { id: "partner" }, exportable: true } as const;

export const ledgerAdminRoutes: Route[] = [
  operatorRoute({
    ...ofPartner,
    operation: "operator_ledger.accounts",
    path: "/partners/{id}/ledger/accounts",
    summary: "List the accounts of a partner's ledger",
    description: "The balance of each account by currency.",
    query: LedgerQuery,
    reply: { status: 200, schema: LedgerAccounts },
    handle: async (ctx, { params, query }) => readAccounts(ctx, await bookOf(ctx, params.id), query),
  }),
  operatorRoute({
    ...ofPartner,
    operation: "operator_ledger.entries",
    path: "/partners/{id}/ledger/entries",
    summary: "List the entries of a partner's ledger",
    description: ENTRIES,
    query: LedgerEntryQuery,
    reply: { status: 200, schema: LedgerEntries },
    handle: async (ctx, { params, query }) => entriesPage(ctx.db, (await bookOf(ctx, params.id)).partner_id, query),
  }),
  operatorRoute({
    ...ofPartner,
    operation: "operator_ledger.trial_balance",
    path: "/partners/{id}/ledger/trial-balance",
    summary: "Get the trial balance of a partner",
    description: TRIAL_BALANCE,
    query: LedgerQuery,
    reply: { status: 200, schema: TrialBalance },
    handle: async (ctx, { params, query }) => readTrialBalance(ctx, await bookOf(ctx, params.id), query),
  }),
];
