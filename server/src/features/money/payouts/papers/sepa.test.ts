import { readFileSync } from "node:fs";
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { exampleId, newId } from "../../../../kernel/ids.ts";
import { type BankExport, endToEndId, type Payment, payoutOfEndToEndId, sepaFaultOf } from "./payments.ts";
import { sepaFile } from "./sepa.ts";

const SCHEMA = readFileSync(new URL("../../../../../test/schemas/pain.001.001.09.xsd", import.meta.url), "utf8");
const IBANS = ["DE89370400440532013000", "FR1420041010050500013M02606", "BG80BNBG96611020345678", "NL91ABNA0417164300"];

const PAYMENT: Payment = {
  payout_id: exampleId("payout"),
  attempt: 1,
  name: "Test Agency",
  iban: IBANS[0] as string,
  amount_cents: 11_738,
  currency: "eur",
  statement_number: "S-000042",
};

function exportOf(payments: Payment[], debtor: Partial<BankExport["debtor"]> = {}): BankExport {
  return {
    export: { id: exampleId("payout_export"), created_at: "2026-05-15T06:00:00.123Z", execution_date: "2026-05-18" },
    debtor: { name: "Northlight", iban: "NL91 ABNA 0417 1643 00", ...debtor },
    payments,
  };
}

async function fileOf(input: BankExport): Promise<string> {
  let text = "";
  for await (const chunk of sepaFile(input)) text += chunk;
  return text;
}

async function faultsOf(xml: string): Promise<string[]> {
  const { errors } = await validateXML({ xml, schema: SCHEMA, maxMemoryPages: 4_096 });
  return errors.map(({ message }) => message);
}

type Transfer = Record<"PmtId" | "Amt" | "CdtrAgt" | "Cdtr" | "CdtrAcct" | "RmtInf", Record<string, never>>;

/** The file as another parser reads it: every value is text. */
function read(xml: string) {
  const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, isArray: (name) => name === "CdtTrfTxInf" });
  const { GrpHdr, PmtInf } = parser.parse(xml).Document.CstmrCdtTrfInitn;
  return { header: GrpHdr, block: PmtInf, transfers: PmtInf.CdtTrfTxInf as Transfer[] };
}

test("a file is valid, and another parser reads the payments that were given", async () => {
  const payments = [
    { ...PAYMENT, name: "Щерев & Söhne", bic: "cobadeff" },
    { ...PAYMENT, payout_id: newId("payout", 1), attempt: 2, amount_cents: 1, iban: " fr14 2004 1010 0505 0001 3M02 606" },
    { ...PAYMENT, payout_id: newId("payout", 2), amount_cents: 99_999_999_999 },
  ];
  const xml = await fileOf(exportOf(payments, { bic: "ABNANL2A" }));
  expect(await faultsOf(xml)).toEqual([]);
  const { header, block, transfers } = read(xml);
  expect(header).toEqual({
    MsgId: exampleId("payout_export").replace("_", "-"),
    CreDtTm: "2026-05-15T06:00:00Z",
    NbOfTxs: "3",
    CtrlSum: "1000000117.38",
    InitgPty: { Nm: "Northlight" },
  });
  expect(block).toMatchObject({
    PmtMtd: "TRF",
    NbOfTxs: "3",
    CtrlSum: "1000000117.38",
    PmtTpInf: { SvcLvl: { Cd: "SEPA" } },
    ReqdExctnDt: { Dt: "2026-05-18" },
    DbtrAcct: { Id: { IBAN: "NL91ABNA0417164300" } },
    DbtrAgt: { FinInstnId: { BICFI: "ABNANL2A" } },
  });
  expect(transfers).toEqual([
    {
      PmtId: { EndToEndId: exampleId("payout").replace("_", "-") },
      Amt: { InstdAmt: { "#text": "117.38", "@_Ccy": "EUR" } },
      CdtrAgt: { FinInstnId: { BICFI: "COBADEFF" } },
      Cdtr: { Nm: "Shterev + Sohne" },
      CdtrAcct: { Id: { IBAN: IBANS[0] } },
      RmtInf: { Ustrd: "Statement S-000042" },
    },
    expect.objectContaining({
      PmtId: { EndToEndId: `${newIdText(payments[1])}-2` },
      Amt: { InstdAmt: { "#text": "0.01", "@_Ccy": "EUR" } },
      CdtrAcct: { Id: { IBAN: IBANS[1] } },
    }),
    expect.objectContaining({ Amt: { InstdAmt: { "#text": "999999999.99", "@_Ccy": "EUR" } } }),
  ]);
});

const newIdText = (payment: Payment | undefined) => payment?.payout_id.replace("_", "-");

test("the schema refuses what it should: the test would notice", async () => {
  const xml = await fileOf(exportOf([PAYMENT]));
  for (const [found, other] of [
    ["<Nm>Test Agency</Nm>", "<Nm>Tést</Nm>"],
    ["<Nm>Test Agency</Nm>", `<Nm>${"x".repeat(71)}</Nm>`],
    ["<PmtMtd>TRF</PmtMtd>", ""],
    ["117.38</InstdAmt>", "117.381</InstdAmt>"],
    ['Ccy="EUR"', 'Ccy="USD"'],
  ] as const) {
    expect(xml).toContain(found);
    expect(await faultsOf(xml.replaceAll(found, other))).not.toEqual([]);
  }
});

test("any names and amounts make a valid file, with every payment in it and the sum of all", async () => {
  const payment = fc.record({
    name: fc.oneof(fc.string({ unit: "binary", maxLength: 120 }), fc.string({ maxLength: 120 })),
    iban: fc.constantFrom(...IBANS),
    bic: fc.constantFrom(null, "COBADEFFXXX"),
    amount_cents: fc.integer({ min: 1, max: 99_999_999_999 }),
    attempt: fc.integer({ min: 1, max: 999 }),
    statement_number: fc.string({ unit: "binary", maxLength: 200 }),
  });
  const files = fc.record({ payments: fc.array(payment, { minLength: 1, maxLength: 120 }), name: fc.string({ unit: "binary" }) });
  await fc.assert(
    fc.asyncProperty(files, async ({ payments, name }) => {
      const given = payments.map((some, index) => ({ ...PAYMENT, ...some, payout_id: newId("payout", index) }));
      const xml = await fileOf(exportOf(given, { name }));
      expect(await faultsOf(xml)).toEqual([]);
      const { header, transfers } = read(xml);
      const ids = transfers.map(({ PmtId }) => payoutOfEndToEndId(PmtId.EndToEndId ?? ""));
      expect(ids).toEqual(given.map(({ payout_id, attempt }) => ({ payout_id, attempt })));
      const sum = given.reduce((cents, { amount_cents }) => cents + BigInt(amount_cents), 0n);
      expect(BigInt(header.CtrlSum.replace(".", ""))).toBe(sum);
      expect(header.NbOfTxs).toBe(String(given.length));
    }),
    { numRuns: 12 },
  );
});

test.each([
  [{ currency: "usd" }, "SEPA transfers are in euro."],
  [{ iban: null }, "There is no IBAN."],
  [{ iban: "DE00370400440532013000" }, "The check digits do not match"],
  [{ iban: "TR330006100519786457841326" }, "outside SEPA"],
  [{ bic: "nonsense" }, "The BIC is not valid."],
  [{ amount_cents: 0 }, "A SEPA transfer is of 0.01 to 999,999,999.99 euro."],
  [{ amount_cents: 100_000_000_000 }, "A SEPA transfer is of 0.01 to 999,999,999.99 euro."],
])("a payment with %j is refused before anything is written", async (over, fault) => {
  const payment = { ...PAYMENT, ...over };
  expect(sepaFaultOf(payment)).toContain(fault);
  await expect(fileOf(exportOf([PAYMENT, payment]))).rejects.toThrow(fault);
});

test("a file without payments, or with a payout twice, or from an account that is none, is refused", async () => {
  await expect(fileOf(exportOf([]))).rejects.toThrow("at least one payment");
  await expect(fileOf(exportOf([PAYMENT, PAYMENT]))).rejects.toThrow("twice");
  await expect(fileOf(exportOf([PAYMENT], { iban: "NL00" }))).rejects.toThrow("account that pays");
});

test("an end-to-end id has no underscore, at most 35 characters, and leads back to payout and attempt", () => {
  expect(endToEndId("pay_01jd3k5y5cf7m8n9p0q1r2s3t4", 1)).toBe("pay-01jd3k5y5cf7m8n9p0q1r2s3t4");
  expect(endToEndId("pay_01jd3k5y5cf7m8n9p0q1r2s3t4", 999)).toHaveLength(34);
  expect(() => endToEndId("pay_01jd3k5y5cf7m8n9p0q1r2s3t4", 99_999)).toThrow();
  expect(payoutOfEndToEndId("pay-01jd3k5y5cf7m8n9p0q1r2s3t4-2")).toEqual({ payout_id: exampleId("payout"), attempt: 2 });
  expect(payoutOfEndToEndId("NOTPROVIDED")).toBeNull();
});
