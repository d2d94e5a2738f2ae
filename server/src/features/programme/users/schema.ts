import { Type } from "typebox";
import { closed, Id, listOf, page, Time, Version } from "../../../platform/http/shapes.ts";

export const ROLES = ["owner", "admin", "member", "read_only"] as const;

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not only blanks",
  examples: ["Nora Lindqvist"],
});
const Email = Type.String({
  format: "email",
  maxLength: 254,
  description: "an e-mail address",
  examples: ["nora@northwind.example"],
});
const Role = Type.Enum([...ROLES], { description: "What the user may do", examples: ["member"] });
const Accounts = Type.Union([Type.Literal("all"), Type.Array(Id("client"), { minItems: 1, maxItems: 500, uniqueItems: true })], {
  description: '"all", or a list of client ids: a user bound to clients is their staff',
  examples: ["all"],
});

export const UserCreate = Type.Object(
  { name: Name, email: Email, role: Role, accounts: Accounts },
  { ...closed, title: "UserCreate" },
);
export type UserCreate = Type.Static<typeof UserCreate>;

export const UserPatch = Type.Object(
  {
    name: Type.Optional(Name),
    accounts: Type.Optional(Accounts),
    email: Type.Optional(Email),
    role: Type.Optional(Role),
  },
  { ...closed, title: "UserPatch", minProperties: 1 },
);
export type UserPatch = Type.Static<typeof UserPatch>;

export const User = Type.Object(
  {
    id: Id("user"),
    name: Name,
    email: Email,
    role: Role,
    accounts: Accounts,
    state: Type.Enum(["invited", "active"], { description: "invited until the user has signed in for the first time" }),
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
