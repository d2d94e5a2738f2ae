export { bankCsv } from "./bank-csv.ts";
export { type BankExport, type Debtor, endToEndId, type Payment, payoutOfEndToEndId, sepaFaultOf } from "./payments.ts";
export { sepaFile } from "./sepa.ts";
export type { Statement, StatementPayout, StatementRow } from "./statement.model.ts";
export { statementPdf } from "./statement.ts";
export { statementCsv } from "./statement-csv.ts";
