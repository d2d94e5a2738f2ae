import type { Type } from "./data.ts";

/** What a type of field holds, and what it refuses. */
export const TYPES: Record<Type, { name: string; rule: string }> = {
  text: { name: "Text", rule: "Up to 1,000 characters" },
  number: { name: "Number", rule: "A number, also with decimals" },
  boolean: { name: "Yes or no", rule: "Yes, no, or nothing" },
  date: { name: "Date", rule: "A day, such as 2026-11-02" },
  select: { name: "One of a list", rule: "One of up to 100 options" },
  multi_select: { name: "Several of a list", rule: "Any of up to 100 options, each once" },
  url: { name: "Web address", rule: "An address that begins with http or https" },
};

export const RESOURCES = { contact: "Contacts", lead: "Leads", deal: "Deals" } as const;
