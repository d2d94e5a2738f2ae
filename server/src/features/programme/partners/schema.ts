import { ALL_SCOPES } from "../../../kernel/scopes.ts";
import { closed, Id } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

export const Me = Type.Object(
  {
    partner_id: Id("partner"),
    company: Type.String({ examples: ["Northwind Agency"] }),
    grade: Type.String({ examples: ["gold"] }),
    scopes: Type.Array(Type.Enum(ALL_SCOPES), { examples: [["clients:read", "clients:write", "snapshots:deploy"]] }),
  },
  { ...closed, title: "Me" },
);
