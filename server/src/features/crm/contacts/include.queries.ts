import { MERGED } from "./merge/queries.ts";
import { CONTACT_JSON } from "./queries.ts";

/** Joins the contact that a row `c` of the partner $1 refers to; for a merged one, the contact that it was merged into, also through others. */
export const CONTACT_JOIN = `cross join lateral (select c.contact_id) l (linked_id)
  left join lateral (
    select ${CONTACT_JSON} as json from contacts c
    where c.partner_id = $1 and c.deleted_at is null
      and c.id = (select case when k1.merged_into is null then k1.id else ${MERGED} end
        from contacts k1 where k1.partner_id = $1 and k1.id = l.linked_id)
  ) k on true`;

/** The JSON of such a row with `included.contact`: null where there is none. */
export const withContact = (json: string) => `left(${json}, -1) || ',"included":{"contact":' || coalesce(k.json, 'null') || '}}'`;
