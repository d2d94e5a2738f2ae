import { readFileSync } from "node:fs";

export type Table = { owner: string; distribution: "tenant" | "global" | "by value" | "local" };

const COMMENT = /^-- .*\[([a-z/-]+), (tenant|global|by value|local)\]\n(?:--.*\n)*create table (\w+)/gm;

/** Every table of the schema, with what its comment says: which feature owns it, and how it is distributed. */
export const TABLES: Readonly<Record<string, Table>> = Object.fromEntries(
  [...readFileSync(new URL("../../schema.sql", import.meta.url), "utf8").matchAll(COMMENT)].map(
    ([, owner = "", distribution, name]) => [name, { owner, distribution }],
  ),
);
