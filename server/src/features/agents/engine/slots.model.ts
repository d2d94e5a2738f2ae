import { readWrittenPhone } from "../../../kernel/phone.ts";
import type { Slot, SlotType, SlotValue } from "./model.ts";
import { occursIn, wordsOf } from "./words.model.ts";

const TEXT_MAX = 2_000;
const YES = new Set(["yes", "y", "yeah", "yep", "sure", "ok", "okay", "ja", "oui", "si", "sim", "true"]);
const NO = new Set(["no", "n", "nope", "nein", "non", "nao", "false"]);

/** What somebody answered to the question of a slot; null where it does not fit. */
export function readSlot(slot: Slot, text: string): SlotValue | null {
  const value = READERS[slot.type](text.trim(), slot);
  if (value === null) return null;
  const size = typeof value === "number" ? value : slot.type === "text" ? String(value).length : null;
  const fits = size === null || ((slot.min ?? -Infinity) <= size && size <= (slot.max ?? Infinity));
  return fits ? value : null;
}

const READERS: Record<SlotType, (text: string, slot: Slot) => SlotValue | null> = {
  text: (text) => (text === "" ? null : text.slice(0, TEXT_MAX).toWellFormed()),
  number: readNumber,
  email: readEmail,
  phone: readPhoneIn,
  date: readDay,
  choice: readChoice,
  boolean: readBoolean,
};

/** The one number of a text: 1500, 1.500,50, 1,500.50 and 12.5 are numbers; of several none is meant. */
function readNumber(text: string): number | null {
  const [only, ...others] = text.match(/(?<![\p{L}\d])-?\d[\d.,]*/gu) ?? [];
  if (only === undefined || others.length > 0) return null;
  const written = only.replace(/[.,]+$/, "");
  const thousands = /^-?\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.exec(written)?.[1];
  const decimal = Math.max(written.lastIndexOf("."), written.lastIndexOf(","));
  const digits = (part: string) => part.replaceAll(/[.,]/g, "");
  const plain =
    thousands !== undefined || decimal === -1
      ? digits(written)
      : `${digits(written.slice(0, decimal))}.${digits(written.slice(decimal + 1))}`;
  const value = Number(plain);
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

function readEmail(text: string): string | null {
  const found = text
    .split(/[\s<>()",;:]+/)
    .map((word) => word.replace(/[.!?]+$/, ""))
    .filter((word) => /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(word) && word.length <= 254);
  return found.length === 1 && found[0] !== undefined ? found[0].toLowerCase() : null;
}

function readPhoneIn(text: string): string | null {
  const written = /\+?[\d()][\d\s()./-]{5,30}/.exec(text)?.[0]?.trim() ?? "";
  return written === "" ? null : readWrittenPhone(written, null).phone;
}

/** 2026-11-02, or 2.11.2026: an order that nobody reads in two ways. */
function readDay(text: string): string | null {
  const iso = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/.exec(text);
  const dotted = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/.exec(text);
  const [year, month, day] = iso?.slice(1) ?? dotted?.slice(1).toReversed() ?? [];
  if (year === undefined) return null;
  const written = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const time = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written) ? written : null;
}

/** The one choice that is named, or its number in the list. */
function readChoice(text: string, { choices = [] }: Slot): string | null {
  const words = wordsOf(text);
  const named = choices.filter((choice) => occursIn(choice, words));
  const longest = named.filter((one) => !named.some((other) => other !== one && occursIn(one, wordsOf(other))));
  if (longest.length > 0) return longest.length === 1 ? (longest[0] ?? null) : null;
  return words.length === 1 && /^\d+$/.test(words[0] ?? "") ? (choices[Number(words[0]) - 1] ?? null) : null;
}

function readBoolean(text: string): boolean | null {
  const words = wordsOf(text);
  const [yes, no] = [words.some((word) => YES.has(word)), words.some((word) => NO.has(word))];
  return yes === no ? null : yes;
}
