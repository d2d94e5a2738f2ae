import fc from "fast-check";
import { expect, test } from "vitest";
import { sepaText } from "./sepa-text.ts";

test.each([
  ["Harbour Dental", "Harbour Dental"],
  ["Müller & Söhne GmbH", "Muller + Sohne GmbH"],
  ["Straße Æsir Øre Łódź İstanbul", "Strasse Aesir Ore Lodz Istanbul"],
  ["Décomposé", "Decompose"],
  ["Щерев и Юлия", "Shterev i Yuliya"],
  ["ЩЕРЕВ ООД", "SHTEREV OOD"],
  ["Ђорђе Љубић", "Djordje Ljubic"],
  ["Їжак Ґанок", "Yizhak Ganok"],
  ["Χρήστος Ψαράς", "Christos Psaras"],
  ["O’Brien “Ltd” [EU]; No_1", "O'Brien .Ltd. (EU), No-1"],
  ["日本 GmbH", ".. GmbH"],
  ["ﬁnance ①", "finance 1"],
  ["a\n\tb\u00a0c\u0000d", "a b c d"],
  ["//a//b//", "a/b"],
  ["😀", "."],
])("%j is sent as %j", (text, expected) => {
  expect(sepaText(text, 70)).toBe(expected);
});

test("any text is within the character set and the length, and is left alone the second time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.integer({ min: 1, max: 140 }), (text, length_max) => {
      const sent = sepaText(text, length_max);
      expect(sent).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]*$/);
      expect(sent.length).toBeLessThanOrEqual(length_max);
      expect(sent).not.toMatch(/^[/ ]|[/ ]$|\/\//);
      expect(sepaText(sent, length_max)).toBe(sent);
    }),
  );
});
