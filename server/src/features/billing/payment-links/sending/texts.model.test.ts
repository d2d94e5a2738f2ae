import { expect, test } from "vitest";
import { LANGUAGES } from "../model.ts";
import { MESSAGE_TEXTS, type MessageTexts } from "./texts.model.ts";

/** What each text must say. */
const NAMED: Record<keyof MessageTexts, string[]> = {
  subject: ["amount", "seller"],
  request: ["amount", "seller"],
  request_due: ["amount", "day", "seller"],
  reminder: ["amount", "seller"],
  reminder_due: ["amount", "day", "seller"],
  overdue: ["amount", "day", "seller"],
  pay_here: ["url"],
};

test.each(LANGUAGES)("every text for payers is there in %s, names what it must, and is no other text", (language) => {
  const texts = Object.entries(MESSAGE_TEXTS[language]);
  const named = texts.map(([name, text]) => [name, [...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => word).toSorted()]);
  expect(Object.fromEntries(named)).toEqual(NAMED);
  expect(new Set(texts.map(([, text]) => text)).size).toBe(texts.length);
});
