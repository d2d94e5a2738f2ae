import { setImmediate } from "node:timers/promises";
import { readBic, readIban } from "../../../../kernel/bank-account.ts";
import { decimalOf } from "../../../../kernel/money.ts";
import { type BankExport, bankId, type Debtor, endToEndId, type Payment, sepaFaultOf } from "./payments.ts";
import { sepaText } from "./sepa-text.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";
const NAME_MAX = 70;
const REMITTANCE_MAX = 140;
/** Payments between two turns of the event loop. */
const BATCH = 50;

/**
 * A SEPA credit transfer, ISO 20022 pain.001.001.09 with the rules of the European Payments Council: one payment block with all
 * payments. Throws before the first chunk if a payment cannot be in it: `sepaFaultOf` says so beforehand.
 */
export async function* sepaFile(input: BankExport): AsyncGenerator<string> {
  check(input);
  // Imported lazily: only exports need it, a few times a month.
  const { createCB } = await import("xmlbuilder2");
  const chunks: string[] = [];
  const xml = createCB({
    data: (chunk: string) => chunks.push(chunk),
    prettyPrint: true,
    defaultNamespace: { ele: NAMESPACE },
  });
  xml.dec({ encoding: "UTF-8" }).ele("Document").ele("CstmrCdtTrfInitn").ele(headerOf(input)).ele("PmtInf");
  for (const [name, value] of Object.entries(blockOf(input))) xml.ele({ [name]: value });
  for (const [index, payment] of input.payments.entries()) {
    xml.ele({ CdtTrfTxInf: transferOf(payment) });
    if ((index + 1) % BATCH > 0) continue;
    yield chunks.splice(0).join("");
    await setImmediate();
  }
  xml.end();
  yield `${chunks.join("")}\n`;
}

function check({ debtor, payments }: BankExport): void {
  if (payments.length === 0) throw new Error("A SEPA file has at least one payment.");
  if (readIban(debtor.iban).iban === null) throw new Error("The IBAN of the account that pays is not valid.");
  if (debtor.bic && readBic(debtor.bic) === null) throw new Error("The BIC of the account that pays is not valid.");
  for (const payment of payments) {
    const fault = sepaFaultOf(payment);
    if (fault !== null) throw new Error(`${payment.payout_id} cannot be paid by SEPA: ${fault}`);
  }
  const ids = new Set(payments.map(({ payout_id }) => payout_id));
  if (ids.size < payments.length) throw new Error("A payout is in the SEPA file twice.");
}

function headerOf({ export: { id, created_at }, debtor, payments }: BankExport) {
  const CreDtTm = `${new Date(created_at).toISOString().slice(0, 19)}Z`;
  return { GrpHdr: { MsgId: bankId(id), CreDtTm, ...sumsOf(payments), InitgPty: partyOf(debtor.name) } };
}

/** The payment block up to its transfers. */
function blockOf({ export: { id, execution_date }, debtor, payments }: BankExport) {
  return {
    PmtInfId: bankId(id),
    PmtMtd: "TRF",
    BtchBookg: "true",
    ...sumsOf(payments),
    PmtTpInf: { SvcLvl: { Cd: "SEPA" } },
    ReqdExctnDt: { Dt: execution_date },
    Dbtr: partyOf(debtor.name),
    DbtrAcct: accountOf(debtor.iban),
    DbtrAgt: { FinInstnId: bankOf(debtor) },
    ChrgBr: "SLEV",
  };
}

function transferOf({ payout_id, attempt, amount_cents, bic, name, iban, statement_number }: Payment) {
  return {
    PmtId: { EndToEndId: endToEndId(payout_id, attempt) },
    Amt: { InstdAmt: { "@Ccy": "EUR", "#": decimalOf(amount_cents, "eur") } },
    ...(bic ? { CdtrAgt: { FinInstnId: { BICFI: readBic(bic) } } } : {}),
    Cdtr: partyOf(name),
    CdtrAcct: accountOf(iban ?? ""),
    RmtInf: { Ustrd: sepaText(`Statement ${statement_number}`, REMITTANCE_MAX) },
  };
}

function sumsOf(payments: readonly Payment[]) {
  const sum_cents = payments.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents), 0n);
  return { NbOfTxs: String(payments.length), CtrlSum: decimalOf(sum_cents, "eur") };
}

/** A name that has no letter of the character set is as banks write a missing one. */
function partyOf(name: string) {
  const Nm = sepaText(name, NAME_MAX);
  return { Nm: /[A-Za-z0-9]/.test(Nm) ? Nm : "NOTPROVIDED" };
}

function accountOf(iban: string) {
  return { Id: { IBAN: readIban(iban).iban } };
}

function bankOf({ bic }: Debtor) {
  return bic ? { BICFI: readBic(bic) } : { Othr: { Id: "NOTPROVIDED" } };
}
