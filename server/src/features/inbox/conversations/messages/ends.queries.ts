import type { TenantScope } from "../../../../kernel/principal.ts";
import { actorName } from "../../../../platform/db/actor-name.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { ChannelStatus } from "../../channels/index.ts";
import { joinPlainPerson, PERSON, type PersonRow, personOrNull } from "../people.queries.ts";

/** Both ends of a conversation, who is written to and where, the state of its account, and the name of whoever writes. */
export type Ends = {
  channel: { status: ChannelStatus; archived: boolean };
  person: PersonRow | null;
  account_status: string;
  author_name: string | null;
};

/** The account is locked for share, as for every write into it. */
const endsStatement = statement(`
  select h.status as channel_status, h.archived_at is not null as channel_archived, a.status as account_status,
    ${actorName("$3", "$1")} as author_name, c.person_id, ${PERSON}
  from conversations c
  join channels h on h.partner_id = $1 and h.id = c.channel_id
  join clients a on a.partner_id = $1 and a.id = c.account_id ${joinPlainPerson("c.person_id")}
  where c.partner_id = $1 and c.id = $2
  for share of a`);

type EndsRow = PersonRow & {
  channel_status: ChannelStatus;
  channel_archived: boolean;
  account_status: string;
  author_name: string | null;
  person_id: string | null;
};

/** What a message in a locked conversation depends on. */
export async function endsOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  conversation_id: string,
  author_id: string,
): Promise<Ends | null> {
  const [row] = await tx.query<EndsRow>(endsStatement, [partner_id, conversation_id, author_id]);
  if (row === undefined) return null;
  const { channel_status: status, channel_archived: archived, account_status, author_name, person_id, ...plain } = row;
  const found = plain.contact_id !== null || plain.lead_id !== null;
  const person = found ? plain : person_id === null ? null : await personOrNull(tx, { partner_id }, person_id);
  return { channel: { status, archived }, person, account_status, author_name };
}
