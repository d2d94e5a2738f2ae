import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";
import { useWrite } from "../../api/writes.ts";

type Schemas = components["schemas"];
export type Certification = Schemas["Certification"];
export type Grant = Schemas["CertificationGrant"];

const PATH = "/v1/admin/certifications";
const GRANTS = "/v1/admin/partners/{id}/certifications";
/** A certification may lift a partner to a tier. */
const CHANGED = ["certifications", "partners"];

export const listRequest = (archived: boolean) => `GET ${PATH}${queryText({ archived, limit: PAGE_ROWS })}`;

export function useCertifications(archived = false) {
  return useList<Certification>(["certifications", archived], async (cursor, signal) => {
    const query = { archived, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export const useCreateCertification = () =>
  useWrite(
    async ({ body, key }: { body: Schemas["CertificationCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    ...CHANGED,
  );

export const useUpdateCertification = () =>
  useWrite(
    async ({ certification: { id, version }, body }: { certification: Certification; body: Schemas["CertificationPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id }, header: ifMatch(version) } })).data,
    ...CHANGED,
  );

/** What a partner holds, and has held. */
export function useGrants(partner_id: string) {
  return useList<Grant>(["certifications", "of", partner_id], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(GRANTS, { params: { path: { id: partner_id }, query }, signal })).data;
  });
}

export const useGrant = () =>
  useWrite(
    async ({ partner_id, body, key }: { partner_id: string; body: Schemas["CertificationGrantCreate"]; key: string }) =>
      (await api.POST(GRANTS, { body, params: { path: { id: partner_id }, header: idempotency(key) } })).data,
    ...CHANGED,
  );

export const useRevoke = () =>
  useWrite(
    async ({ partner_id, grant_id }: { partner_id: string; grant_id: string }) =>
      void (await api.DELETE(`${GRANTS}/{grant_id}`, { params: { path: { id: partner_id, grant_id } } })),
    ...CHANGED,
  );
