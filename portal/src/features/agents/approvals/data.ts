import type { components } from "@tributary/sdk";
import { api, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

export type Approval = components["schemas"]["Approval"];
export type ApprovalStatus = Approval["status"];
export type ApprovalFilter = { account_id?: string; status?: ApprovalStatus[] };

const PATH = "/v1/approvals";
const KEY = "approvals";
const REFRESH_MS = 60_000;

export const listRequest = (filter: ApprovalFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;

/** What agents want to do with tools that have to be approved, newest first. */
export function useApprovals(filter: ApprovalFilter, enabled = true) {
  return useList<Approval>(
    [KEY, "list", filter],
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    enabled,
    REFRESH_MS,
  );
}

type Decision = { approval: Approval; approves: boolean; note: string };

export function useDecide() {
  return useWrite(
    async ({ approval: { id, version }, approves, note }: Decision) => {
      const init = {
        body: note.trim() === "" ? {} : { note },
        params: { path: { id }, header: ifMatch(version) },
      };
      return approves ? (await api.POST(`${PATH}/{id}/approve`, init)).data : (await api.POST(`${PATH}/{id}/reject`, init)).data;
    },
    KEY,
    "overview",
  );
}
