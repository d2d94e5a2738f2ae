import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { UserName } from "../../users/index.ts";
import { NewPassword } from "../password/schema.ts";
import { LinkToken } from "../schema.ts";

export const LinkUse = Type.Object({ token: LinkToken }, { ...closed, title: "LinkUse" });

export const InvitationAcceptance = Type.Object(
  { token: LinkToken, password: NewPassword, name: Type.Optional(UserName) },
  { ...closed, title: "InvitationAcceptance" },
);
export type InvitationAcceptance = Type.Static<typeof InvitationAcceptance>;
