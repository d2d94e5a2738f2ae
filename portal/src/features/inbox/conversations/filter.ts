import type { ConversationFilter } from "./data.ts";

type Url = Readonly<Record<string, string | undefined>>;

/** Looks at the inbox; without one, what is open. */
export const VIEWS = [
  { value: "", name: "Open" },
  { value: "waiting", name: "Waiting" },
  { value: "mine", name: "Mine" },
  { value: "all", name: "All" },
];

/** Filters beyond the view, by their names in the address. */
export const FILTERS = ["status", "channel", "owner", "tag", "unread", "archived"];

/** What a view and the filters of an address mean to the API, for whoever looks. */
export function filterOf(account_id: string, url: Url, user_id: string): ConversationFilter {
  const view = url.view ?? "";
  const status = url.status ?? (view === "all" || url.archived === "true" ? undefined : "open");
  const owner = url.owner ?? (view === "mine" ? user_id : undefined);
  return {
    account_id,
    ...(status === undefined ? {} : { status: [status] }),
    ...(view === "waiting" ? { waiting: true } : {}),
    ...(owner === undefined ? {} : owner.includes("_") ? { owner_id: owner } : { owner_kind: [owner] }),
    ...(url.channel ? { channel_id: url.channel } : {}),
    ...(url.tag ? { tag: [url.tag] } : {}),
    ...(url.unread ? { unread: url.unread === "true" } : {}),
    ...(url.archived === "true" ? { archived: true } : {}),
    ...(url.q ? { q: url.q } : {}),
  };
}
