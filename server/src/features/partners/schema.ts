import { Type } from "typebox";
import { idPattern } from "../../kernel/ids.ts";
import { ALL_SCOPES } from "../../kernel/scopes.ts";

export const Me = Type.Object(
  {
    partner_id: Type.String({ pattern: idPattern("partner") }),
    company: Type.String({ examples: ["Northwind Agency"] }),
    grade: Type.String({ examples: ["gold"] }),
    scopes: Type.Array(Type.Enum(ALL_SCOPES)),
  },
  { additionalProperties: false },
);
