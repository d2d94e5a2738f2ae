import { actForOperator, findPartner } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import type { Output } from "./shell/output.ts";
import { renderFields } from "./shell/table.ts";

type Purchase = {
  id: string;
  snapshot_name: string;
  seller_company: string;
  buyer_company: string;
  price_cents: number;
  seller_share_cents: number;
  currency: string;
  status: string;
  commission_id: string | null;
  created_at: string;
};

export const listPurchases = command({
  name: "purchases list",
  summary: "List purchases of snapshots",
  options: {
    partner: {
      type: "text",
      value: "PARTNER",
      description: "Only purchases of this buyer: its id, or a unique part of its name.",
    },
    status: { type: "list", value: "STATUS", description: "Only purchases in this state: due, completed or cancelled." },
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the newest purchases of all partners", run: "tributary purchases list" },
    { title: "List what is due, as JSON", run: "tributary purchases list --status due --all --json" },
  ],
  async run(call) {
    const { options } = call;
    const { allPurchasesPage, OperatorPurchaseListQuery } = await import("../features/snapshots/marketplace/index.ts");
    const services = await call.services();
    const filter = await checked("purchases list", OperatorPurchaseListQuery, "query", {
      partner_id: options.partner === undefined ? undefined : await findPartner(services, options.partner),
      status: options.status,
      limit: options.limit,
    });
    await printList<Purchase>(call, {
      noun: "purchases",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "snapshot", of: ({ snapshot_name }) => snapshot_name },
        { title: "buyer", of: ({ buyer_company }) => buyer_company },
        { title: "price", of: ({ price_cents, currency }) => money(price_cents, currency), right: true },
        { title: "status", of: ({ status }) => status },
        { title: "seller", of: ({ seller_company }) => seller_company, spare: true },
        { title: "created", of: ({ created_at }) => shortTime(created_at), whole: true, spare: true },
      ],
      page: (query) => allPurchasesPage(services.db, { ...filter, ...query }),
    });
  },
});

const PURCHASE_ARGUMENT = { purchase: { description: "The purchase's id." } };

/** The last purchase that is due, as a line of a shell finds it. */
const LAST = `"$(tributary purchases list --status due --limit 1 | grep -o 'pur_[a-z0-9]*' | head -n 1)"`;

function show(out: Output, { json }: { json: string }): void {
  const purchase: Purchase = JSON.parse(json);
  const { currency } = purchase;
  out.result(purchase, () =>
    renderFields({
      id: purchase.id,
      snapshot: purchase.snapshot_name,
      seller: purchase.seller_company,
      buyer: purchase.buyer_company,
      price: money(purchase.price_cents, currency),
      "seller's share": money(purchase.seller_share_cents, currency),
      status: purchase.status,
      commission: purchase.commission_id,
    }),
  );
}

export const completePurchase = command({
  name: "purchases complete",
  summary: "Complete a purchase",
  description: "Once the buyer has paid: the buyer gets the snapshot, the seller its share. Repeating it changes nothing.",
  args: PURCHASE_ARGUMENT,
  examples: [{ title: "Complete the last purchase that is due", run: `tributary purchases complete ${LAST}` }],
  async run({ args, out, services }) {
    const marketplace = await import("../features/snapshots/marketplace/index.ts");
    show(out, await marketplace.completePurchase(actForOperator(await services()), args.purchase));
  },
});

export const cancelPurchase = command({
  name: "purchases cancel",
  summary: "Cancel a purchase",
  description: "One that is due. The snapshot can be bought again. Repeating it changes nothing.",
  args: PURCHASE_ARGUMENT,
  examples: [{ title: "Cancel the last purchase that is due", run: `tributary purchases cancel ${LAST}` }],
  async run({ args, out, services }) {
    const marketplace = await import("../features/snapshots/marketplace/index.ts");
    show(out, await marketplace.cancelPurchase(actForOperator(await services()), args.purchase));
  },
});
