import { listIdentity } from "../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import {
  anyOf,
  byTime,
  isShorterThanTrigram,
  keysetPage,
  type Listing,
  likePattern,
  type Place,
} from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { CONVERSATION_JSON } from "./queries.ts";
import { type ConversationListQuery, WAITING_MAX } from "./schema.ts";

/** Conversations, newest activity first. `person_ids` are those of the contact or the lead that is asked for. */
export function conversationsPage(
  db: Queryable,
  scope: TenantScope,
  query: ConversationListQuery,
  person_ids: readonly string[] | null,
): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const accounts = requestedAccounts(scope, filter.account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("conversations", filter),
      table: "conversations",
      json: CONVERSATION_JSON,
      sort: byTime("c.last_message_at", true),
      conditions: (place) => conditionsOf(filter, accounts, person_ids, place),
      ...searchOf(filter, accounts),
    },
    query,
  );
}

const waitingStatement = statement(`
  select count(*)::int as waiting from (
    select 1 from conversations c
    where c.partner_id = $1 and ($2::text[] is null or c.account_id = any($2))
      and c.status = 'open' and c.archived_at is null and c.waiting_since is not null
    limit ${WAITING_MAX}) w`);

/** How many open conversations wait for an answer. */
export async function countWaiting(db: Queryable, scope: TenantScope, account_id: string | undefined): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(waitingStatement, [scope.partner_id, requestedAccounts(scope, account_id)]);
  return row?.waiting ?? 0;
}

type Filter = Omit<ConversationListQuery, "limit" | "cursor">;

function conditionsOf(
  filter: Filter,
  accounts: readonly string[] | null,
  person_ids: readonly string[] | null,
  place: Place,
): string[] {
  const { status, channel_id, channel_kind, owner_kind, owner_id, unread, waiting, archived = false } = filter;
  return [
    archived ? "c.archived_at is not null" : "c.archived_at is null",
    ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
    ...(person_ids === null ? [] : [anyOf("c.person_id", person_ids, place)]),
    ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
    ...(channel_id === undefined ? [] : [`c.channel_id = ${place(channel_id)}`]),
    ...(channel_kind === undefined ? [] : [anyOf("c.channel_kind", channel_kind, place)]),
    ...(owner_kind === undefined ? [] : [anyOf("c.owner_kind", owner_kind, place)]),
    ...(owner_id === undefined ? [] : [`c.owner_id = ${place(owner_id)}`]),
    ...(unread === undefined ? [] : [unread ? "c.unread > 0" : "c.unread = 0"]),
    ...(waiting === undefined ? [] : [waiting ? "c.waiting_since is not null" : "c.waiting_since is null"]),
  ];
}

/** The filters by tag and by text, which need an index that has no order. A short text is looked for in the newest conversations first. */
function searchOf({ tag, q }: Filter, accounts: readonly string[] | null): Pick<Listing, "search"> {
  if (tag === undefined && q === undefined) return {};
  const cheap = q === undefined || isShorterThanTrigram(q);
  const found = (row: string, place: Place) => {
    const text = `lower(m.text) like lower(${place(likePattern(q ?? ""))})`;
    if (cheap) return `exists (select 1 from messages m where m.partner_id = $1 and m.conversation_id = ${row}.id and ${text})`;
    const within = accounts === null ? "" : ` and ${anyOf("m.account_id", accounts, place)}`;
    return `${row}.id in (select m.conversation_id from messages m where m.partner_id = $1${within} and ${text})`;
  };
  return {
    search: {
      cheap,
      conditions: (row, place) => [
        ...(tag === undefined ? [] : [`${row}.tags <> '{}' and ${row}.tags && ${place(tag)}`]),
        ...(q === undefined ? [] : [found(row, place)]),
      ],
    },
  };
}
