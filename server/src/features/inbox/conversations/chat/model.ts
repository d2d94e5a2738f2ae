import { fail } from "../../../../kernel/errors.ts";

/**
 * A place in the thread of a visitor. Ordinals are given under the lock of the conversation, and a later conversation has a greater id,
 * so whoever has seen a place has seen everything before it.
 */
export type Place = { conversation_id: string; ordinal: number };

export const BEGINNING: Place = { conversation_id: "", ordinal: 0 };

const PLACE = /^(cnv_[0-9a-z]{26})\.(\d{1,9})$/;

export const placeId = ({ conversation_id, ordinal }: Place) => `${conversation_id}.${ordinal}`;

/** The place of a message by its id, as visitors know it. */
export function placeOf(id: string): Place {
  const [, conversation_id, ordinal] =
    PLACE.exec(id) ?? fail("invalid_cursor", { detail: "This is no id of a message of the chat." });
  return { conversation_id: conversation_id ?? "", ordinal: Number(ordinal) };
}
