import { fail, Refusal } from "../../../../kernel/errors.ts";
import { Type } from "../../../../platform/http/type.ts";
import { compile } from "../../../../platform/http/validation.ts";
import { type ImportBatch, refusalOr } from "../../records/index.ts";
import { consentsOf } from "../consent/commands.ts";
import { ConsentPut } from "../consent/schema.ts";
import { CHANNELS, canonicalPhone } from "../model.ts";
import { ContactCreate, ContactPatch } from "../schema.ts";
import type { ContactRow } from "./model.ts";

const checkCreate = compile(ContactCreate, "body");
const checkPatch = compile(ContactPatch, "body");
const checkConsents = compile(Type.Object({ consent: ConsentPut }), "body");
const CONSENT = "consent.";

/** Validates a row against the schema, and its phone. */
export function readRow({ mode, tx }: ImportBatch, input: ContactRow): ContactRow {
  const { id, first_name, last_name, ...cells } = input;
  const fields = Object.fromEntries(Object.entries(cells).filter(([name]) => !name.startsWith(CONSENT))) as ContactRow;
  const name = fields.name ?? [first_name, last_name].filter((part) => part !== undefined).join(" ");
  const row = { ...fields, ...(name === "" ? {} : { name }) };
  const form = refusalOr(() => (mode === "update" ? Object.keys(row).length > 0 && checkPatch(row) : checkCreate(row)));
  const phone = refusalOr(() => (row.phone == null ? row.phone : canonicalPhone(row.phone)));
  const consent = refusalOr(() => readConsents(cells, tx.now));
  refuseAll([form, phone, consent].filter((one) => one instanceof Refusal));
  return {
    ...row,
    ...(consent instanceof Refusal || consent === undefined ? {} : { consent }),
    ...(phone == null ? {} : { phone: phone as string }),
    ...(id === undefined || mode === "create" ? {} : { id }),
  };
}

/** The consents in the cells of a row. A channel without a status stays as it is. */
function readConsents(cells: Record<string, unknown>, now: Date): ContactRow["consent"] {
  const given = CHANNELS.filter((channel) => cells[CONSENT + channel] !== undefined);
  if (given.length === 0) return undefined;
  const inputs = given.map((channel) => {
    const { [CONSENT + channel]: status, [`${CONSENT}${channel}.source`]: source, [`${CONSENT}${channel}.at`]: at } = cells;
    return [channel, { status, ...(source === undefined ? {} : { source }), ...(at === undefined ? {} : { at }) }];
  });
  const consent = Object.fromEntries(inputs) as ConsentPut;
  checkConsents({ consent });
  return Object.fromEntries(consentsOf(consent, now, "#/consent"));
}

/** Refuses a row with all its faults at once. */
function refuseAll(refusals: readonly Refusal[]): void {
  const [first, another] = refusals;
  if (another === undefined && first !== undefined) throw first;
  const faults = refusals.flatMap(({ explanation }) => explanation.faults ?? []);
  if (faults.length > 0) fail("validation_failed", { faults });
}
