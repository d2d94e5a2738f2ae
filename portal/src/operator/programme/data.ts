import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, ifMatch } from "../../api/client.ts";

export type Programme = components["schemas"]["Programme"];
type Patch = components["schemas"]["ProgrammePatch"];

const PATH = "/v1/admin/programme";
const queryKey = ["programme"];

export function useProgramme() {
  return useQuery({ queryKey, queryFn: async ({ signal }) => (await api.GET(PATH, { signal })).data });
}

export function useUpdateProgramme() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ programme, body }: { programme: Programme; body: Patch }) =>
      (await api.PATCH(PATH, { body, params: { header: ifMatch(programme.version) } })).data,
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
}
