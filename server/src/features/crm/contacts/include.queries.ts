import { CONTACT_JSON } from "./queries.ts";

/** Joins the contact that a row `c` of the partner $1 refers to; a merged one is the contact that it was merged into. */
export const CONTACT_JOIN = `cross join lateral (select c.contact_id) l (linked_id)
  left join lateral (
    select ${CONTACT_JSON} as json from contacts c
    where c.partner_id = $1 and c.deleted_at is null
      and c.id in (l.linked_id, (select m.merged_into from contacts m where m.partner_id = $1 and m.id = l.linked_id))
  ) k on true`;

/** The JSON of such a row with `included.contact`: null where there is none. */
export const withContact = (json: string) => `left(${json}, -1) || ',"included":{"contact":' || coalesce(k.json, 'null') || '}}'`;
