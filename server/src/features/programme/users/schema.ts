import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { ROLES } from "./model.ts";

export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Nora Lindqvist"],
});
export const Email = Type.String({
  format: "email",
  maxLength: 254,
  description: "An e-mail address",
  examples: ["nora@northwind.example"],
});
const Role = Type.Enum([...ROLES], { description: "The permissions of the user", examples: ["member"] });
const Accounts = Type.Union([Type.Literal("all"), Type.Array(Id("client"), { minItems: 1, maxItems: 500, uniqueItems: true })], {
  description: '"all", or the ids of the clients that the user has access to',
  examples: ["all"],
});

export const UserCreate = Type.Object(
  { name: Name, email: Email, role: Role, accounts: Accounts },
  { ...closed, title: "UserCreate" },
);
export type UserCreate = Type.Static<typeof UserCreate>;

export const UserPatch = Type.Partial(UserCreate, { ...closed, title: "UserPatch", minProperties: 1 });
export type UserPatch = Type.Static<typeof UserPatch>;

export const User = Type.Object(
  {
    id: Id("user"),
    name: Name,
    email: Email,
    role: Role,
    accounts: Accounts,
    state: Type.Enum(["invited", "active"], { description: "invited until the first sign-in" }),
    last_seen_at: nullable(
      Type.String({ format: "date-time", description: "When the user was last seen in the portal, to about half a minute" }),
    ),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "User" },
);
export type UserShown = Type.Static<typeof User>;

export const UserListQuery = Type.Object(page, closed);
export type UserListQuery = Type.Static<typeof UserListQuery>;

export const UserList = listOf(User, "UserList");
