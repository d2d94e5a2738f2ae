import { actFor, findClient, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";

const CLIENT_OPTION = {
  client: { type: "text", value: "CLIENT", description: "Only those of this client's account, by id or external id." },
} as const;

type Link = {
  id: string;
  status: string;
  customer: { name: string | null; phone: string | null; email: string | null };
  currency: string;
  total_cents: number;
  paid_cents: number;
  description: string | null;
  expires_at: string;
};

export const listPaymentLinks = command({
  name: "payment-links list",
  summary: "List the payment links of a partner",
  options: {
    ...PARTNER_OPTION,
    ...CLIENT_OPTION,
    status: {
      type: "text",
      value: "STATUS",
      description: "Only links with this status: active, partially_paid, paid, cancelled, closed, expired or disabled.",
    },
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the latest payment links of a partner", run: "tributary payment-links list --partner northwind" },
    {
      title: "List those that wait for their payment, as JSON",
      run: "tributary payment-links list --partner northwind --status active --json",
    },
  ],
  async run(call) {
    const { options } = call;
    const { LinkListQuery, listLinks } = await import("../features/billing/payment-links/index.ts");
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const filter = await checked("payment-links list", LinkListQuery, "query", {
      account_id: options.client === undefined ? undefined : await findClient(ctx, options.client),
      status: options.status,
      limit: options.limit,
    });
    await printList<Link>(call, {
      noun: "payment links",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "customer", of: ({ customer: { name, phone, email } }) => name ?? phone ?? email },
        { title: "amount", of: ({ total_cents, currency }) => money(total_cents, currency), right: true },
        { title: "paid", of: ({ paid_cents, currency }) => money(paid_cents, currency), right: true, spare: true },
        { title: "status", of: ({ status }) => status, whole: true },
        { title: "description", of: ({ description }) => description, spare: true },
        { title: "expires", of: ({ expires_at }) => shortTime(expires_at), spare: true },
      ],
      page: (query) => listLinks(ctx, { ...filter, ...query }),
    });
  },
});

type Payment = {
  id: string;
  status: string;
  amount_cents: number;
  tip_cents: number;
  refunded_cents: number;
  currency: string;
  provider: string;
  method: string;
  receipt_number: string;
  paid_at: string;
};

export const listPayments = command({
  name: "payments list",
  summary: "List the payments of a partner's customers",
  options: {
    ...PARTNER_OPTION,
    ...CLIENT_OPTION,
    status: {
      type: "text",
      value: "STATUS",
      description: "Only payments with this status: succeeded, partially_refunded, refunded, disputed or lost.",
    },
    link: { type: "text", value: "LINK", description: "Only payments of this payment link." },
    ...LIST_OPTIONS,
  },
  examples: [{ title: "List the latest payments of a partner's customers", run: "tributary payments list --partner northwind" }],
  async run(call) {
    const { options } = call;
    const { PaymentListQuery, listPayments: list } = await import("../features/billing/payments/index.ts");
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const filter = await checked("payments list", PaymentListQuery, "query", {
      account_id: options.client === undefined ? undefined : await findClient(ctx, options.client),
      status: options.status,
      payment_link_id: options.link,
      limit: options.limit,
    });
    await printList<Payment>(call, {
      noun: "payments",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "receipt", of: ({ receipt_number }) => receipt_number, whole: true },
        { title: "amount", of: (one) => money(one.amount_cents + one.tip_cents, one.currency), right: true },
        { title: "refunded", of: ({ refunded_cents, currency }) => money(refunded_cents, currency), right: true, spare: true },
        { title: "by", of: ({ provider, method }) => (provider === method ? method : `${provider} ${method}`), spare: true },
        { title: "status", of: ({ status }) => status },
        { title: "paid", of: ({ paid_at }) => shortTime(paid_at), whole: true },
      ],
      page: (query) => list(ctx, { ...filter, ...query }),
    });
  },
});
