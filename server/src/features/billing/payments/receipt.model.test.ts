import { expect, test } from "vitest";
import { bytesOf, pagesOf } from "../../../../test/harness/pdf.ts";
import { type Receipt, receiptPdf } from "./receipt.model.ts";

const PAYMENT = {
  receipt_number: "R-000118",
  amount_cents: 14_280,
  tip_cents: 0,
  refunded_cents: 0,
  currency: "eur",
  method: "card",
  method_hint: "4242",
  payer: { name: "Ada Okafor", email: null, answers: {} },
  live: true,
  paid_at: "2026-11-02T23:30:00.000Z",
};
const LINK = {
  description: "Invoice 2026-118",
  reference: null,
  customer: { name: null, phone: null, email: null },
  timezone: "Europe/Berlin",
  line_items: null,
};

/** The text of each page of a receipt, without blanks. */
async function receiptText(payment: object = {}, link: object = {}, others: object = {}): Promise<string[]> {
  const seller = { company: "Harbour Dental", branding: { primary_color: "#0b7285" } };
  const receipt = {
    language: "en",
    seller,
    link: { ...LINK, ...link },
    payment: { ...PAYMENT, ...payment },
    ...others,
  } as unknown as Receipt;
  return (await pagesOf(await bytesOf(receiptPdf(receipt)))).map((text) => text.replaceAll(/\s/g, ""));
}

test("a receipt says who was paid how much, by whom, when and for what", async () => {
  const [text, ...others] = await receiptText({ tip_cents: 720, refunded_cents: 1_000 });
  expect(others).toEqual([]);
  const said = ["ReceiptR-000118", "HarbourDental", "November3,2026", "AdaOkafor", "4242", "Invoice2026-118", "€142.80"];
  for (const words of [...said, "€7.20", "€150.00", "Refunded:€10.00", "Page1of1"]) expect(text).toContain(words);
  expect(text).not.toContain("Thisisatest");
});

test("a receipt is in the payer's language, and one of a test says so", async () => {
  const [text] = await receiptText({ live: false, receipt_number: "TEST-000001" }, {}, { language: "de" });
  for (const words of ["QuittungTEST-000001", "Karte····4242", "3.November2026", "142,80€", "DiesisteinTest", "Seite1von1"])
    expect(text).toContain(words);
});

test("an item is shown with its quantity, its price with the tax, and the tax if there is one", async () => {
  const line_items = [
    { name: "Check-up", quantity: 3, unit_cents: 2_500, tax_cents: 1_425 },
    { name: "Brush", quantity: 2, unit_cents: 450 },
    { name: "Gift", quantity: 1, unit_cents: 0, tax_cents: 0 },
  ];
  const [text] = await receiptText({}, { line_items });
  expect(text).toMatch(/Item.*Quantity.*Check-up3€89\.25[^€]*€14\.25.*Brush2€9\.00Gift1€0\.00/);
});

test("a receipt without a tip, a refund or an address for questions has no line of them", async () => {
  const [plain = ""] = await receiptText();
  expect(plain).not.toMatch(/Tip|Refunded|undefined|€0\.00/);
  const seller = { company: "Harbour Dental", branding: { support_email: "help@harbour.example" } };
  const [text] = await receiptText({}, {}, { seller });
  expect(text).toContain("help@harbour.example");
});

test("a receipt names the customer of the link where the payer gave no name, the reference where there is no description, or nobody", async () => {
  const named = { description: null, reference: "PO-77", customer: { name: "Bo Lund" } };
  const [text] = await receiptText({ payer: { name: null } }, named);
  for (const words of ["BoLund", "PO-77"]) expect(text).toContain(words);
  const [nobody] = await receiptText({ payer: { name: null } }, { description: null });
  expect(nobody).not.toMatch(/Paidby|null/);
});

test("many items take more pages, and names of any length and script fit", async () => {
  const line_items = Array.from({ length: 100 }, (_, index) => ({
    name: ["Профилактический осмотр ", "פגישת ייעוץ ", "Äußerst lange Bezeichnung einer Leistung ".repeat(8)][index % 3],
    quantity: 100_000,
    unit_cents: 9_999_999,
    tax_cents: 1,
  }));
  const name = "אברהם ".repeat(30);
  const pages = await receiptText(
    { amount_cents: 999_999_999_999, payer: { name } },
    { line_items, description: "Ж".repeat(500) },
  );
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.join("").match(/Профилактическийосмотр/g)).toHaveLength(34);
  expect(pages[0]).toContain("€9,999,999,999.99");
  expect(pages.at(-1)).toContain(`Page${pages.length}of${pages.length}`);
});
