import { Type } from "typebox";
import { closed, Id, Time } from "../../../../platform/http/shapes.ts";
import { Contact } from "../schema.ts";
import { CHOICES } from "./model.ts";

export const MergeRequest = Type.Object(
  {
    from_id: Type.String({ ...Id("contact"), description: "the contact that goes" }),
    take: Type.Optional(
      Type.Array(Type.Enum([...CHOICES], { type: "string" }), {
        maxItems: CHOICES.length,
        uniqueItems: true,
        description: "what to take from it although the other has its own",
        examples: [["email"]],
      }),
    ),
  },
  { ...closed, title: "MergeRequest" },
);
export type MergeRequest = Type.Static<typeof MergeRequest>;

export const Merge = Type.Object(
  {
    id: Id("merge"),
    from_id: Id("contact"),
    contact: Contact,
    undo_until: Type.String({ ...Time, description: "until when it can be undone, if the contact stays as it is" }),
  },
  { ...closed, title: "Merge" },
);

export const Unmerged = Type.Object({ contact: Contact, restored: Contact }, { ...closed, title: "Unmerged" });
