import { isolate } from "../../../../platform/documents/bidi.ts";
import { drawFacts, drawParagraphs, drawSums, type Fact, type Paragraph } from "../../../../platform/documents/blocks.ts";
import { GREY, INK, openPaper, type Paper, RED, STYLES } from "../../../../platform/documents/paper.ts";
import { drawTable, type TableColumn } from "../../../../platform/documents/table.ts";
import {
  addedUp,
  day,
  figure,
  kindName,
  type Statement,
  type StatementPayout,
  type StatementRow,
  share,
} from "./statement.model.ts";

/** The space below the table: its total and the note. */
const CLOSING_HEIGHT = 60;

/** The statement of a payout as a PDF, in chunks. Throws before the last one if the rows do not add up to the payout. */
export async function* statementPdf(statement: Statement): AsyncGenerator<Buffer> {
  const { programme, partner, statement_number, payout } = statement;
  const paper = await openPaper({
    title: `Payout statement ${statement_number}`,
    author: programme.name,
    created_at: new Date(payout.scheduled_for),
    footer: `Payout statement ${statement_number} · ${isolate(partner.company)}`,
    colour: programme.colour ?? null,
  });
  drawHead(paper, statement);
  yield* drawTable(paper, columnsOf(payout.currency), numbered(addedUp(statement)));
  if (paper.room() < CLOSING_HEIGHT) paper.addPage();
  drawClosing(paper, payout);
  yield paper.end();
}

function drawHead(paper: Paper, { programme, partner, statement_number, payout }: Statement): void {
  const whole = { left: paper.left, width: paper.width };
  const half = { left: paper.left, width: paper.width * 0.5 - 12 };
  const sums = { left: paper.left + paper.width * 0.56, width: paper.width * 0.44 };
  const right: Paragraph[] = [{ text: programme.name, style: { ...STYLES.strong, size: 11 }, lines: 3 }];
  drawParagraphs(paper, right, sums, "right", paper.y + 5);
  const title: Paragraph[] = [
    { text: "Payout statement", style: STYLES.title },
    { text: statement_number, style: { ...STYLES.body, size: 11 } },
  ];
  const top = drawParagraphs(paper, title, half, "left", paper.y) + 26;
  const recipient: Paragraph[] = [
    { text: "Paid to", style: STYLES.label },
    { text: partner.company, style: { ...STYLES.strong, size: 11 }, lines: 6 },
    { text: partner.id, style: STYLES.note },
  ];
  const below = drawParagraphs(paper, recipient, half, "left", top) + 10;
  const facts = drawFacts(paper, factsOf(payout), half, 70, below);
  paper.y = Math.max(facts, drawSummary(paper, payout, sums, top)) + 22;
  drawParagraphs(paper, [{ text: "Commissions in this payout", style: { ...STYLES.strong, size: 10 } }], whole, "left", paper.y);
  paper.y += 22;
}

function drawSummary(paper: Paper, payout: StatementPayout, frame: { left: number; width: number }, top: number): number {
  const amount = (label: string, cents: number): Fact => ({
    label,
    value: figure(cents, payout.currency),
    style: { ...STYLES.body, colour: cents < 0 ? RED : INK },
  });
  const y = drawParagraphs(paper, [{ text: `Summary in ${code(payout)}`, style: STYLES.label }], frame, "left", top) + 4;
  const amounts = [
    amount("Gross commissions", payout.gross_cents),
    amount("Adjustments", payout.adjustments_cents),
    amount("Carried over", payout.carry_in_cents),
  ];
  const net = { label: "Net payout", value: `${code(payout)} ${figure(payout.net_cents, payout.currency)}` };
  return drawSums(paper, amounts, { ...net, style: { ...STYLES.strong, size: 12 } }, frame, y);
}

function factsOf({
  id,
  status,
  paid_at,
  period_from,
  period_to,
  cutoff,
  scheduled_for,
  method_hint,
  reference,
}: StatementPayout) {
  const bad = status === "failed" || status === "cancelled";
  const state = `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
  const facts: (Fact | null)[] = [
    {
      label: "Status",
      value: status === "paid" && paid_at !== null ? `Paid on ${day(paid_at)}` : state,
      style: { ...STYLES.strong, colour: bad ? RED : INK },
    },
    { label: "Payout date", value: day(scheduled_for) },
    { label: "Period", value: period_from === null ? `up to ${day(period_to)}` : `${day(period_from)} – ${day(period_to)}` },
    cutoff === null ? null : { label: "Cut-off", value: day(cutoff) },
    method_hint === null ? null : { label: "Paid by", value: method_hint },
    reference === null ? null : { label: "Reference", value: reference },
    { label: "Payout", value: id },
  ];
  return facts.filter((fact) => fact !== null);
}

type Line = StatementRow & { number: number };

async function* numbered(rows: AsyncIterable<StatementRow>): AsyncGenerator<Line> {
  let number = 0;
  for await (const row of rows) yield { ...row, number: ++number };
}

function columnsOf(currency: string): TableColumn<Line>[] {
  const text = (value: string, colour: string = INK): Paragraph[] => [
    { text: value, style: { ...STYLES.body, colour }, shrink: true },
  ];
  return [
    { title: "No.", width: 26, align: "right", cell: ({ number }) => text(number.toLocaleString("en"), GREY) },
    { title: "Earned on", width: 52, align: "left", cell: ({ accrued_at }) => text(day(accrued_at)) },
    { title: "Commission", align: "left", cell: describe },
    {
      title: "Base",
      width: 60,
      align: "right",
      cell: ({ base_cents }) => text(base_cents === 0 ? "" : figure(base_cents, currency)),
    },
    { title: "Rate", width: 34, align: "right", cell: ({ rate_bps }) => text(rate_bps === 0 ? "" : share(rate_bps)) },
    {
      title: `Amount ${currency.toUpperCase()}`,
      width: 66,
      align: "right",
      cell: ({ amount_cents }) => text(figure(amount_cents, currency), amount_cents < 0 ? RED : INK),
    },
  ];
}

/** The client and its plan, and below what kind of commission it is, why, and how to find it. */
function describe(row: StatementRow): Paragraph[] {
  const { client, plan, reason_code, charge, commission_id } = row;
  const sale = [client, plan].filter((name) => name !== null && name !== "").map((name) => isolate(name ?? ""));
  const kind = [kindName(row), ...(reason_code === null ? [] : [reason_code.replaceAll("_", " ")])];
  const ids = [commission_id, ...(charge === null ? [] : [isolate(charge)])];
  const [first, second] = sale.length > 0 ? [sale, [...kind, ...ids]] : [kind, ids];
  return [
    { text: first.join(" · "), style: STYLES.body, lines: 2 },
    { text: second.join(" · "), style: STYLES.note, lines: 2 },
  ];
}

function drawClosing(paper: Paper, payout: StatementPayout): void {
  const frame = { left: paper.left, width: paper.width };
  const style = { ...STYLES.strong, size: 10 };
  const top = paper.y + 8;
  const rows = payout.count === 1 ? "1 commission" : `${payout.count.toLocaleString("en")} commissions`;
  drawParagraphs(paper, [{ text: `Total of ${rows}`, style }], frame, "left", top);
  const total = `${code(payout)} ${figure(payout.net_cents, payout.currency)}`;
  const bottom = drawParagraphs(paper, [{ text: total, style }], frame, "right", top) + 12;
  const note =
    "Gross is what was earned, adjustments what was taken back, such as for refunds. Carried over is what was due at an earlier " +
    "payout and not paid with it. Days are in UTC.";
  drawParagraphs(paper, [{ text: note, style: STYLES.note, lines: 2 }], frame, "left", bottom);
}

function code({ currency }: StatementPayout): string {
  return currency.toUpperCase();
}
