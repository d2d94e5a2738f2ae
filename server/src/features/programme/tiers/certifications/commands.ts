import { fail, notFound } from "../../../../kernel/errors.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { requireGrade } from "../commands.ts";
import {
  type Certification,
  certificationForUpdateOrNull,
  certificationIdByNameOrNull,
  certificationOrNull,
  certificationsPage,
  insertCertification,
  saveCertification,
} from "./queries.ts";
import {
  CERTIFICATION_FIELDS,
  type CertificationCreate,
  type CertificationListQuery,
  type CertificationPatch,
} from "./schema.ts";

export async function getCertification(ctx: Context, id: string): Promise<Certification> {
  return (await certificationOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listCertifications(ctx: Context, query: CertificationListQuery): Promise<{ json: string }> {
  return certificationsPage(ctx.db, query);
}

export function createCertification(ctx: Context, input: CertificationCreate): Promise<Certification> {
  return ctx.tx(async (tx) => {
    const fields = { description: null, valid_days: null, lifts_to: null, ...input, archived: false };
    if (fields.lifts_to !== null) await requireGrade(tx, fields.lifts_to, "lifts_to");
    const saved = (await insertCertification(tx, fields)) ?? (await refuseDuplicate(tx, fields.name));
    const changes = changesBetween<Partial<Certification>>({}, saved, CERTIFICATION_FIELDS);
    record(tx, ctx.scope, [], { action: "certifications.create", target: saved.id, client_id: null, changes });
    return saved;
  });
}

export function updateCertification(ctx: Context, id: string, patch: CertificationPatch): Promise<Certification> {
  return ctx.tx(async (tx) => {
    const before = (await certificationForUpdateOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, before);
    const after = { ...before, ...patch };
    const changes = changesBetween(before, after, CERTIFICATION_FIELDS);
    if (Object.keys(changes).length === 0) return before;
    if (after.lifts_to !== null && after.lifts_to !== before.lifts_to) await requireGrade(tx, after.lifts_to, "lifts_to");
    record(tx, ctx.scope, [], { action: "certifications.update", target: id, client_id: null, changes });
    return (await saveCertification(tx, after)) ?? refuseDuplicate(tx, after.name);
  });
}

async function refuseDuplicate(tx: Tx, name: string): Promise<never> {
  const existing_id = await certificationIdByNameOrNull(tx, name);
  fail("duplicate_certification", { detail: `Another certification has the name ${name}.`, meta: { existing_id } });
}
