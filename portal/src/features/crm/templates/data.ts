import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Template = Schemas["MessageTemplate"];
export type Channel = Template["channel"];

const PATH = "/v1/message-templates";
const KEY = "message_templates";

/** The templates of an account in use, or its archived ones. */
export function useTemplates(account_id: string, archived: boolean) {
  return useQuery({
    queryKey: [KEY, account_id, archived],
    queryFn: async ({ signal }) => {
      const templates: Template[] = [];
      const query = { account_id, archived, limit: 100 };
      for await (const template of api.list(PATH, { params: { query }, signal })) templates.push(template);
      return templates;
    },
    staleTime: 60_000,
  });
}

export function useCreateTemplate() {
  return useWrite(
    async ({ body, key }: { body: Schemas["MessageTemplateCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );
}

export function useUpdateTemplate() {
  return useWrite(
    async ({ template, body }: { template: Template; body: Schemas["MessageTemplatePatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: template.id }, header: ifMatch(template.version) } })).data,
    KEY,
  );
}

/** What a template says to somebody, and what would be missing. */
export function usePreview(id: string | null, to: Schemas["TemplatePreviewRequest"]) {
  return useQuery({
    queryKey: [KEY, "preview", id, to],
    queryFn: async ({ signal }) =>
      (await api.POST(`${PATH}/{id}/preview`, { body: to, params: { path: { id: id ?? "" } }, signal })).data,
    enabled: id !== null,
    placeholderData: (before) => before,
    meta: { live: ["contacts"] },
  });
}
