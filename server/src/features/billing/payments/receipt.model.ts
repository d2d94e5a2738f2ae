import { amountText } from "../../../kernel/money.ts";
import { drawFacts, drawParagraphs, drawSums, type Fact, type Paragraph } from "../../../platform/documents/blocks.ts";
import { openPaper, type Paper, RED, STYLES } from "../../../platform/documents/paper.ts";
import { drawTable, type TableColumn } from "../../../platform/documents/table.ts";
import { type Language, methodIn, type PaymentLink, type Say, type Seller, textsOf } from "../payment-links/index.ts";
import type { Payment } from "./queries.ts";

export type Receipt = { language: Language; seller: Seller; link: PaymentLink; payment: Payment };

type Item = NonNullable<PaymentLink["line_items"]>[number];
/** A receipt with the words and the figures of its language. */
type Draft = Receipt & { say: Say; amount(cents: number): string };

const BODY = { ...STYLES.body, size: 10 };
const STRONG = { ...STYLES.strong, size: 11 };

/** The receipt of a payment as a PDF, in chunks. */
export async function* receiptPdf(receipt: Receipt): AsyncGenerator<Buffer> {
  const { language, seller, link, payment } = receipt;
  const say = textsOf(language);
  const title = `${say("receipt")} ${payment.receipt_number}`;
  const paper = await openPaper({
    title,
    author: seller.company,
    created_at: new Date(payment.paid_at),
    footer: title,
    colour: seller.branding.primary_color ?? null,
    language,
    pageText: (page) => say("page", { page: String(page) }),
  });
  const draft: Draft = { ...receipt, say, amount: (cents) => amountText(cents, payment.currency, language) };
  drawHead(paper, draft, title);
  if (link.line_items !== null) yield* drawTable(paper, columnsOf(draft), link.line_items);
  yield paper.end();
}

function drawHead(paper: Paper, { say, amount, seller, payment, ...rest }: Draft, title: string): void {
  const left = { left: paper.left, width: paper.width * 0.56 };
  const right = { left: paper.left + paper.width * 0.6, width: paper.width * 0.4 };
  const head: Paragraph[] = [{ text: title, style: STYLES.title, lines: 2 }];
  if (!payment.live) head.push({ text: say("test"), style: { ...BODY, colour: RED }, lines: 2 });
  const { support_email } = seller.branding;
  const issuer: Paragraph[] = [
    { text: seller.company, style: STRONG, lines: 3 },
    ...(support_email === undefined ? [] : [{ text: support_email, style: STYLES.note, lines: 2 }]),
  ];
  const tops = [drawParagraphs(paper, head, left, "left", paper.y), drawParagraphs(paper, issuer, right, "right", paper.y + 5)];
  const top = Math.max(...tops) + 24;
  const { amount_cents, tip_cents, refunded_cents } = payment;
  const figure = (label: string, cents: number): Fact => ({ label, value: amount(cents), style: BODY });
  const amounts = [figure(say("amount_due"), amount_cents), ...(tip_cents > 0 ? [figure(say("tip"), tip_cents)] : [])];
  const sum = { ...figure(say("sum"), amount_cents + tip_cents), style: STRONG };
  const summed = drawSums(paper, amounts, sum, right, top);
  const refund: Paragraph = {
    text: `${say("refunded")}: ${amount(refunded_cents)}`,
    style: { ...BODY, colour: RED },
    shrink: true,
  };
  const bottom = refunded_cents > 0 ? drawParagraphs(paper, [refund], right, "right", summed + 4) : summed;
  paper.y = Math.max(drawFacts(paper, factsOf({ say, amount, seller, payment, ...rest }), left, 96, top), bottom) + 24;
}

function factsOf({ say, seller, link, payment, language }: Draft): Fact[] {
  const { payer, method, method_hint, paid_at, receipt_number } = payment;
  const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: link.timezone }).format(new Date(paid_at));
  const facts: [string, string | null][] = [
    [say("issued_by"), seller.company],
    [say("receipt_number"), receipt_number],
    [say("paid_on"), day],
    [say("paid_by"), payer.name ?? link.customer.name],
    [say("paid_with"), methodIn(language, method, method_hint)],
    [say("paid_for"), link.description ?? link.reference],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value, style: BODY }]));
}

function columnsOf({ say, amount }: Draft): TableColumn<Item>[] {
  const figure = (text: string): Paragraph => ({ text, style: BODY, shrink: true });
  return [
    { title: say("item"), align: "left", cell: ({ name }) => [{ text: name, style: BODY, lines: 4 }] },
    { title: say("quantity"), width: 60, align: "right", cell: ({ quantity }) => [figure(String(quantity))] },
    {
      title: say("price"),
      width: 120,
      align: "right",
      cell: ({ quantity, unit_cents, tax_cents = 0 }) => [
        figure(amount(quantity * unit_cents + tax_cents)),
        ...(tax_cents > 0 ? [{ text: say("tax", { tax: amount(tax_cents) }), style: STYLES.note, lines: 2 }] : []),
      ],
    },
  ];
}
