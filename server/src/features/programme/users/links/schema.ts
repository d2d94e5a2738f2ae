import { closed, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";

export const InvitationCreate = Type.Object({ user_id: Id("user") }, { ...closed, title: "InvitationCreate" });

export const Invitation = Type.Object(
  {
    url: nullable(Type.String({ description: "The link, to be passed on to the user. Null if it is sent by e-mail" })),
    sent: Type.Boolean({ description: "Whether it is sent by e-mail" }),
    expires_at: Time,
  },
  { ...closed, title: "Invitation" },
);
