import { closed, Id, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Contact } from "../schema.ts";
import { CHOICES } from "./model.ts";

export const MergeRequest = Type.Object(
  {
    from_id: Type.String({ ...Id("contact"), description: "The contact to merge into this one. It is deleted" }),
    take: Type.Optional(
      Type.Array(Type.Enum([...CHOICES], { type: "string" }), {
        maxItems: CHOICES.length,
        uniqueItems: true,
        description: "Fields to take from the other contact although this one has its own",
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
    undo_until: Type.String({ ...Time, description: "Until when the merge can be undone, while the contact is not changed" }),
  },
  { ...closed, title: "Merge" },
);

export const Unmerged = Type.Object({ contact: Contact, restored: Contact }, { ...closed, title: "Unmerged" });
