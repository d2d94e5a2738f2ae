import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { LOG_OPTIONS } from "./log.ts";

const SECRET = "ada.okafor@harbour.example";

/** What the log shows of an error. */
function logged(err: unknown): string {
  const lines: string[] = [];
  pino(LOG_OPTIONS, { write: (line) => void lines.push(line) }).error({ err }, "request failed");
  return lines.join("");
}

function databaseError(message: string, members: Partial<pg.DatabaseError>): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, "error"), { severity: "ERROR", ...members });
}

test("of an error of the database the log has its code and its constraint, and no value of a row", () => {
  const line = logged(
    databaseError('duplicate key value violates unique constraint "contacts_email"', {
      code: "23505",
      constraint: "contacts_email",
      detail: `Key (email)=(${SECRET}) already exists.`,
      where: `COPY contacts, line 1: "${SECRET}"`,
      hint: SECRET,
      internalQuery: `select '${SECRET}'`,
    }),
  );
  expect(JSON.parse(line).err).toMatchObject({
    code: "23505",
    constraint: "contacts_email",
    message: expect.stringContaining("unique constraint"),
  });
  expect(line).not.toContain(SECRET);
});

test("a message that quotes a value is left out, also of a cause and of several errors", () => {
  const quoting = databaseError(`invalid input syntax for type integer: "${SECRET}"`, { code: "22P02" });
  for (const error of [quoting, new Error("outer", { cause: quoting }), new AggregateError([quoting], "several")]) {
    const line = logged(error);
    expect(line).not.toContain(SECRET);
    expect(line).toContain("22P02");
  }
});

test("members that nobody knows are left out, and what was thrown without being an error, too", () => {
  expect(logged(Object.assign(new Error("x"), { body: SECRET }))).not.toContain(SECRET);
  expect(logged({ email: SECRET })).not.toContain(SECRET);
});
