import { expect, test } from "vitest";
import { commandsOf } from "./distribution.ts";

test("the commands of a migration are told apart by semicolons that end them alone", () => {
  const commands = [
    "-- One; with a semicolon, it's a comment.\nalter table a set (fillfactor = 45)",
    "update a set b = 'x; it''s y', \"c;d\" = 1",
    "create function f() returns void language plpgsql as $$\nbegin\n  perform 1; -- $1; 'open\nend $$",
    "create function g() returns text language sql as $body$ select '$$;' $body$",
    "drop table a",
  ];
  expect(commandsOf(`${commands.join(";\n\n")};\n`)).toEqual(commands);
  expect(commandsOf("")).toEqual([]);
});
