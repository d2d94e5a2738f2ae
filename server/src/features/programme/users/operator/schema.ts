import { closed, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Email, Name } from "../schema.ts";

export const OperatorUserCreate = Type.Object({ name: Name, email: Email }, { ...closed, title: "OperatorUserCreate" });
export type OperatorUserCreate = Type.Static<typeof OperatorUserCreate>;

export const OperatorUser = Type.Object(
  {
    id: Id("user"),
    name: Name,
    email: Email,
    role: Type.Literal("operator", { description: "Every user of the operator may do everything under /v1/admin" }),
    state: Type.Enum(["invited", "active"], { description: "invited until the invitation is accepted" }),
    last_seen_at: nullable(
      Type.String({ format: "date-time", description: "When the user was last seen in the portal, to about half a minute" }),
    ),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "OperatorUser", description: "A person of the company that runs the programme." },
);
export type OperatorUser = Type.Static<typeof OperatorUser>;

export const OperatorUserListQuery = Type.Object(page, closed);
export type OperatorUserListQuery = Type.Static<typeof OperatorUserListQuery>;

export const OperatorUserList = listOf(OperatorUser, "OperatorUserList");
