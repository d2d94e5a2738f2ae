import { closed, listOf, page } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { Contact } from "./schema.ts";

export const DuplicatesQuery = Type.Object(
  {
    ...page,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: "How many contacts to compare with older ones; default 25",
        examples: [25],
      }),
    ),
    account_id: Type.Optional(AccountId),
  },
  closed,
);
export type DuplicatesQuery = Type.Static<typeof DuplicatesQuery>;

const Pair = Type.Object(
  {
    score: Type.Number({ minimum: 0, maximum: 1, description: "The similarity of the names", examples: [0.83] }),
    same_company: Type.Boolean({ description: "Whether both have the same company" }),
    contacts: Type.Array(Contact, { minItems: 2, maxItems: 2, description: "The newer contact first" }),
  },
  { ...closed, title: "DuplicatePair" },
);

export const DuplicateList = listOf(Pair, "DuplicateList");
