import { notFound } from "../../../kernel/errors.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { type Language, linkOrNull, type PaymentLink, seenBy, sellerOf } from "../payment-links/index.ts";
import { type Payment, paymentOrNull } from "./queries.ts";
import { receiptPdf } from "./receipt.model.ts";

const PURPOSE = "receipt";

/** The number and the addresses of a receipt, which only its payer is given. */
export async function receiptOf(ctx: Context, id: string): Promise<Result> {
  const { payment, link } = await paid(ctx, id);
  const { receipt_number } = payment;
  const url = `${link.url}/receipt/${receiptToken(ctx, id)}`;
  return { json: JSON.stringify({ receipt_number, payment_id: id, url, pdf_url: `${url}.pdf` }) };
}

/** The receipt as a PDF, in the language of the link unless another is asked for. */
export async function receiptFile(ctx: Context, id: string, language?: Language): Promise<Result> {
  const { payment, link } = await paid(ctx, id);
  return fileOf(ctx, link, payment, language ?? link.language ?? "en");
}

/** The file of a receipt, made anew each time. */
export async function fileOf(
  { db, scope }: Pick<Context, "db" | "scope">,
  link: PaymentLink,
  payment: Payment,
  language: Language,
): Promise<Result & { pieces(): AsyncGenerator<Buffer> }> {
  const seller = await sellerOf(db.byKey, scope.partner_id, link.account_id);
  const pieces = () => receiptPdf({ language, seller, link, payment });
  return { json: "", pieces, headers: { "content-disposition": `inline; filename="${payment.receipt_number}.pdf"` } };
}

async function paid(ctx: Context, id: string): Promise<{ payment: Payment; link: PaymentLink }> {
  const payment = (await paymentOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  const link = (await linkOrNull(ctx.db.byKey, ctx.scope, payment.payment_link_id, seenBy(ctx))) ?? notFound(id);
  return { payment, link };
}

/** Names a payment in the address of its receipt, so that nobody can guess another. */
export function receiptToken({ signer }: Pick<Context, "signer">, payment_id: string): string {
  return `${payment_id}.${signer.sign(payment_id, PURPOSE)}`;
}

/** The payment of such a name; null for one that was not given. */
export async function paymentByReceiptToken(ctx: Context, token: string): Promise<Payment | null> {
  const [id = "", mac = ""] = token.split(".");
  return ctx.signer.verify(id, PURPOSE, mac) ? paymentOrNull(ctx.db.byKey, ctx.scope, id) : null;
}
