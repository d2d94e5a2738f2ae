export { type Client, type ClientOptions, createClient } from "./client.ts";
export type { ItemOf, Items, ListPath } from "./pages.ts";
export { ApiError, type Problem, type ProblemCode, UnexpectedReply } from "./problem.ts";
export type { components, operations, paths } from "./schema.d.ts";
export { parseWebhook, type RejectionReason, type VerifyOptions, type WebhookEvent, WebhookRejected } from "./webhooks.ts";
