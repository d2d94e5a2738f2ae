// Floor of "change feed": node:http and a bare select of the next changes through a pool, each made JSON by PostgreSQL. No head, no
// trimming, no key, no cursor.
import { CHANGES_READ } from "../contacts.ts";
import { serveList } from "./floor.ts";

const text = `select (select row_to_json(x)::text from (select f.resource, f.subject as id, f.account_id, f.change, f.subject_version as version,
    '2026-11-02T09:30:00.000Z' as at) x) as json
  from change_feed f where f.partner_id = $1 and f.seq > 0 and f.resource = 'contact' order by f.seq limit ${CHANGES_READ + 1}`;

await serveList(CHANGES_READ, (db, { partner_id }) => db.query({ name: "changes", text }, [partner_id]));
