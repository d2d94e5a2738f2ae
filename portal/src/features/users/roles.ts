import type { Role } from "./data.ts";

/** The roles in the words of people. */
export const ROLES: readonly { value: Role; name: string; may: string }[] = [
  { value: "owner", name: "Owner", may: "Everything, including who is an owner" },
  { value: "admin", name: "Administrator", may: "Everything except who is an owner, and where payouts go" },
  { value: "member", name: "Member", may: "Sees everything; works on clients, deals, snapshots, conversations and records" },
  { value: "read_only", name: "Read only", may: "Sees everything, changes nothing" },
];

export const roleName = (role: Role) => ROLES.find(({ value }) => value === role)?.name ?? role;

const RANK: Record<Role, number> = { read_only: 0, member: 1, admin: 2, owner: 3 };

/** Whether the second role may do less than the first. */
export const isLess = (before: Role, after: Role) => RANK[after] < RANK[before];
