import { PREFIXES } from "../../../kernel/ids.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { AUTHOR_JSON } from "./messages/queries.ts";

const ENTRY_JSON = `(select row_to_json(x)::text from (select c.id, wire_time(c.created_at) as at, 'message' as type,
    case c.direction when 'in' then 'conversations.receive' else 'conversations.reply' end as action, ${AUTHOR_JSON} as actor,
    c.person_id as record_id, null as changes, null as note,
    json_build_object('conversation_id', c.conversation_id, 'channel_kind', c.channel_kind, 'direction', c.direction,
      'subject', c.subject, 'text', left(c.text, 500), 'status', c.status) as message, null as payment) x)`;

const beforeStatement = statement(`
  select c.id, ${ENTRY_JSON} as json
  from (
    select m.*, v.person_id, v.channel_kind
    from conversations v join messages m on m.partner_id = $1 and m.conversation_id = v.id
    where v.partner_id = $1 and v.person_id = any ($2) and m.kind = 'text' and ($3::text is null or m.id < $3)
    order by m.id desc limit $4
  ) c
  order by c.id desc`);

/** What was written with some people before a moment, as entries of their timeline, newest first. */
export function messagesOf(
  db: Queryable,
  { partner_id }: TenantScope,
  person_ids: readonly string[],
  before: string | null,
  limit: number,
): Promise<{ id: string; json: string }[]> {
  const values = [partner_id, person_ids, before === null ? null : `${PREFIXES.message}_${before}`, limit];
  return db.query<{ id: string; json: string }>(beforeStatement, values);
}
