import type { Queryable } from "./statement.ts";
import { statement } from "./statement.ts";

/**
 * The schema as readable SQL, from the system catalogue: functions, then each table with its columns, constraints, indexes
 * and comment. Partitions are one line: another month does not change the schema.
 */
const functionsStatement = statement(`
  select pg_get_functiondef(p.oid) as definition
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname`);

const tablesStatement = statement(`
  select c.relname as name, obj_description(c.oid) as comment, pg_get_partkeydef(c.oid) as partition_key,
    array_to_string(c.reloptions, ', ') as options,
    (select string_agg(format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> 0 and a.attcollation <> t.typcollation then format(' collate %I', l.collname) else '' end,
        case when a.attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')), E',\\n' order by a.attnum)
     from pg_attribute a
       join pg_type t on t.oid = a.atttypid
       left join pg_collation l on l.oid = a.attcollation
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select string_agg(format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n' order by k.contype <> 'p', k.conname)
     from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n') as constraints,
    (select string_agg(pg_get_indexdef(i.indexrelid) || ';', E'\\n' order by i.indexrelid::regclass::text)
     from pg_index i
     where i.indrelid = c.oid and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)) as indexes,
    (select count(*)::int from pg_inherits h where h.inhparent = c.oid) as partitions
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`);

type Table = {
  name: string;
  comment: string | null;
  partition_key: string | null;
  options: string | null;
  columns: string;
  constraints: string | null;
  indexes: string | null;
  partitions: number;
};

export async function describeSchema(db: Queryable): Promise<string> {
  const [functions, tables] = await Promise.all([
    db.query<{ definition: string }>(functionsStatement),
    db.query<Table>(tablesStatement),
  ]);
  const head = "-- The schema after all migrations. Made by `npm run schema`; do not edit.\n";
  const parts = [...functions.map(({ definition }) => `${definition.trim()};`), ...tables.map(describeTable)];
  return `${head}\n${parts.join("\n\n")}\n`;
}

function describeTable({ name, comment, partition_key, options, columns, constraints, indexes, partitions }: Table): string {
  const body = [columns, constraints].filter((part) => part !== null).join(",\n");
  const lines = [
    comment === null ? null : `-- ${comment}`,
    `create table ${name} (\n${body}\n)${clause("partition by", partition_key)}${clause("with", options && `(${options})`)};`,
    partitions === 0 ? null : `-- with ${partitions} partitions`,
    indexes,
  ];
  return lines.filter((line) => line !== null).join("\n");
}

function clause(words: string, rest: string | null): string {
  return rest === null ? "" : ` ${words} ${rest}`;
}
