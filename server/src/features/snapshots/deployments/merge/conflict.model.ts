/** Where a snapshot and an account disagree. */
export const CONFLICTS = [
  "both_changed",
  "deleted_here",
  "edited_here",
  "owned_elsewhere",
  "in_use",
  "limit_reached",
  "name_taken",
  "default_taken",
  "default_needed",
  "type_stays",
  "not_valid",
] as const;
export type ConflictCode = (typeof CONFLICTS)[number];

/** The path is that of a field, such as `stages/offer/probability`; that of a whole asset is empty. */
export type Conflict = { code: ConflictCode; path: string; detail: string };

export type Tell = (code: ConflictCode, path: string, detail: string) => void;

/** What is said about a field. */
export const DETAILS = {
  both_changed: "It was changed here and in the snapshot. What is here stays.",
  type_stays: "It differs here, and it can never change.",
};
