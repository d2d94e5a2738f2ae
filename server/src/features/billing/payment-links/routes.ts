import { type Route, route } from "../../../platform/http/route.ts";
import { createLink, getLink, listLinks, moveLink, updateLink } from "./commands.ts";
import type { LinkAction } from "./model.ts";
import { qrCode } from "./qr.model.ts";
import { Link, LinkCreate, LinkList, LinkListQuery, LinkPatch, Remind, Send } from "./schema.ts";
import { remindLink, sendLink } from "./sending/commands.ts";

const all = { partner_wide: false, path: "/billing/payment-links", params: {} } as const;
const one = { partner_wide: false, path: "/billing/payment-links/{id}", params: { id: "payment_link" } } as const;

/** Why a message to the customer may be refused. */
const UNSENT = [
  "channel_required",
  "recipient_opted_out",
  "reply_window_closed",
  "template_variable_missing",
] as const satisfies Route["errors"];

const create = {
  method: "POST",
  partner_wide: false,
  params: {},
  scope: "billing:write",
  body: LinkCreate,
  errors: ["account_required", "amount_not_supported", "client_inactive", "invalid_phone", ...UNSENT],
  reply: { status: 201, schema: Link, location: (id: string) => `/billing/payment-links/${id}` },
} as const;

const action = (name: LinkAction, summary: string, description: string): Route =>
  route({
    operation: `payment_links.${name}`,
    method: "POST",
    path: `/billing/payment-links/{id}/${name}`,
    partner_wide: false,
    params: { id: "payment_link" },
    summary,
    description,
    scope: "billing:write",
    errors: ["invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: Link },
    handle: (ctx, { params }) => moveLink(ctx, params.id, name),
  });

export const linkRoutes: Route[] = [
  route({
    ...create,
    operation: "payment_links.create",
    path: "/billing/payment-link",
    summary: "Create a payment link",
    description:
      "Send its `url` to the customer, or let `send` do it. `amount_cents` is in the minor unit of the currency: 1050 is 10.50 usd, 1050 jpy, 1.050 kwd.",
    handle: (ctx, { body }) => createLink(ctx, body),
  }),
  route({
    ...create,
    operation: "payment_links.add",
    path: "/billing/payment-links",
    summary: "Create a payment link in the list",
    description: "The same as `POST /v1/billing/payment-link`.",
    handle: (ctx, { body }) => createLink(ctx, body),
  }),
  route({
    ...all,
    operation: "payment_links.list",
    method: "GET",
    summary: "List payment links",
    description: "Newest first.",
    scope: "billing:read",
    query: LinkListQuery,
    exportable: true,
    reply: { status: 200, schema: LinkList },
    handle: (ctx, { query }) => listLinks(ctx, query),
  }),
  route({
    ...one,
    operation: "payment_links.get",
    method: "GET",
    summary: "Get a payment link",
    scope: "billing:read",
    reply: { status: 200, schema: Link },
    handle: (ctx, { params }) => getLink(ctx, params.id),
  }),
  route({
    ...one,
    operation: "payment_links.qr",
    path: `${one.path}/qr.svg`,
    method: "GET",
    summary: "Get the QR code of a payment link",
    description: "Its address as an image, for a screen or for print.",
    scope: "billing:read",
    reply: { status: 200, stream: "svg" },
    async handle(ctx, { params }) {
      const link = await getLink(ctx, params.id);
      return {
        async *pieces() {
          yield qrCode(link);
        },
        headers: { "content-disposition": `inline; filename="${link.id}.svg"` },
      };
    },
  }),
  route({
    ...one,
    operation: "payment_links.update",
    method: "PATCH",
    summary: "Update a payment link",
    description:
      "As long as nothing is paid and nobody is paying. A link that has expired is active again with a later `expires_at`.",
    scope: "billing:write",
    body: LinkPatch,
    errors: ["invalid_state_transition", "amount_not_supported", "client_inactive"],
    reply: { status: 200, schema: Link },
    handle: (ctx, { params, body }) => updateLink(ctx, params.id, body),
  }),
  route({
    ...one,
    operation: "payment_links.delete",
    method: "DELETE",
    summary: "Cancel a payment link by DELETE",
    description: "The same as `cancel`. The link stays readable.",
    scope: "billing:write",
    errors: ["invalid_state_transition", "client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await moveLink(ctx, params.id, "cancel")),
  }),
  action(
    "cancel",
    "Cancel a payment link",
    "Only as long as nothing is paid. Money of somebody who was just paying still counts, as `late`.",
  ),
  action("close", "Close a payment link", "Gives up the rest of a link that was paid in part."),
  action("disable", "Disable a payment link", "Its page takes no payments until it is enabled again."),
  route({
    operation: "payment_links.send",
    method: "POST",
    path: "/billing/payment-links/{id}/send",
    partner_wide: false,
    params: { id: "payment_link" },
    summary: "Send a payment link",
    description:
      "A message on each channel, in the conversation with the customer. `deliveries` shows what became of them. At most 20 messages for a link.",
    scope: "billing:write",
    body: Send,
    errors: ["invalid_state_transition", "client_inactive", "send_limit_reached", ...UNSENT],
    reply: { status: 200, schema: Link },
    handle: (ctx, { params, body }) => sendLink(ctx, params.id, body),
  }),
  route({
    operation: "payment_links.remind",
    method: "POST",
    path: "/billing/payment-links/{id}/remind",
    partner_wide: false,
    params: { id: "payment_link" },
    summary: "Remind the customer of a payment link",
    description:
      "Now, besides the reminders that `remind` plans. Without `channels`, where the link was sent. At most once in 24 hours.",
    scope: "billing:write",
    body: Remind,
    body_optional: true,
    errors: ["invalid_state_transition", "client_inactive", "send_limit_reached", ...UNSENT],
    reply: { status: 200, schema: Link },
    handle: (ctx, { params, body }) => remindLink(ctx, params.id, body),
  }),
  action("enable", "Enable a payment link", "Its page takes payments again."),
];
