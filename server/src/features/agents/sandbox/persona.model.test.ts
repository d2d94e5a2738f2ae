import { expect, test } from "vitest";
import type { Playbook } from "../engine/index.ts";
import { createPersona, type Persona } from "./persona.model.ts";

type Slot = NonNullable<Playbook["slots"]>[string];

const now = "2026-05-01T10:00:00Z";
const slot = (type: Slot["type"], rest: Partial<Slot> = {}): Slot => ({ type, ask: "?", ...rest });
const speaker = (persona: Persona, slots: Record<string, Slot> = {}) => {
  const speak = createPersona(persona, { slots, now });
  return (awaiting: string | null = null) => speak({ awaiting });
};

test("a person says one thing after the other, and answers questions", () => {
  const says = ["Hi", "Bye"];
  const speak = speaker({ says, answers: { size: "m" } }, { size: slot("number") });
  expect([speak(), speak("size"), speak(), speak(), speak("size")]).toEqual(["Hi", "m", "Bye", null, "m"]);
  expect(says).toEqual(["Hi", "Bye"]);
  expect(speaker({})()).toBeNull();
});

test.each<[Slot | undefined, string | null]>([
  [slot("number"), "1"],
  [slot("number", { min: 5, max: 9 }), "5"],
  [slot("number", { max: 9 }), "9"],
  [slot("email"), "person@example.com"],
  [slot("phone"), "+4915112345678"],
  [slot("date"), "2026-05-01"],
  [slot("choice", { choices: ["Tea", "Coffee"] }), "Tea"],
  [slot("choice"), null],
  [slot("boolean"), "yes"],
  [slot("text"), "example"],
  [slot("text", { min: 9 }), "exampleee"],
  [undefined, "example"],
])("to %j somebody without an answer says %j", (given, said) => {
  expect(speaker({}, given === undefined ? {} : { s: given })("s")).toBe(said);
});

test("names that every object has are no answers", () => {
  expect(speaker({})("constructor")).toBe("example");
});
