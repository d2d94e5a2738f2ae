import { listIdentity } from "../../../../kernel/page.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { byText, keysetPage } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../../platform/record/tx.ts";
import {
  CERTIFICATION_FIELDS,
  type CertificationListQuery,
  Certification as CertificationSchema,
  type CertificationShown,
} from "./schema.ts";

const CERTIFICATION_JSON = rowJson(CertificationSchema);

/** A certification as the API shows it, with its JSON. */
export type Certification = CertificationShown & { json: string };

const byId = statement(`select ${CERTIFICATION_JSON} as json from certifications c where c.id = $1`);
const lockStatement = statement(`select ${CERTIFICATION_JSON} as json from certifications c where c.id = $1 for no key update`);

export async function certificationOrNull(db: Queryable, id: string): Promise<Certification | null> {
  return parsedRow<CertificationShown>(await db.query(byId, [id]));
}

export async function certificationForUpdateOrNull(tx: Queryable, id: string): Promise<Certification | null> {
  return parsedRow<CertificationShown>(await tx.query(lockStatement, [id]));
}

/** Certifications in the order of their names. */
export function certificationsPage(db: Queryable, query: CertificationListQuery): Promise<{ json: string }> {
  const { archived } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("certifications", { archived }),
      table: "certifications",
      json: CERTIFICATION_JSON,
      sort: byText("lower(c.name)"),
      conditions: (place) => (archived === undefined ? [] : [`c.archived = ${place(archived)}`]),
    },
    query,
  );
}

type Stored = Pick<CertificationShown, (typeof CERTIFICATION_FIELDS)[number]>;

const INSERTED = ["id", ...CERTIFICATION_FIELDS, "created_at", "updated_at"] as const;

const insertStatement = statement(`
  with c as (insert into certifications ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${CERTIFICATION_JSON} as json from c`);

/** Adds a certification; null when another one has its name. */
export async function insertCertification(tx: Tx, certification: Stored): Promise<Certification | null> {
  const row = { ...certification, id: tx.newId("certification"), created_at: tx.now, updated_at: tx.now };
  return parsedRow<CertificationShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const updateStatement = statement(`
  with c as (
    update certifications set ${assignments([...CERTIFICATION_FIELDS, "updated_at"], 2)}, version = version + 1 where id = $1
    returning *
  )
  select ${CERTIFICATION_JSON} as json from c`);

/** Saves a locked certification; null when another one has its name. */
export async function saveCertification(tx: Tx, certification: Certification): Promise<Certification | null> {
  const values = [certification.id, ...valuesOf(certification, CERTIFICATION_FIELDS), tx.now];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<CertificationShown>(rows);
}

const idByName = statement("select k.id from certifications k where lower(k.name) = lower($1)");

/** The id of the certification that has a name, in whatever case. */
export async function certificationIdByNameOrNull(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(idByName, [name]);
  return row?.id ?? null;
}
