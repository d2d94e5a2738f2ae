import { closed, Id, listOf, nullable, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { UserName } from "../users/index.ts";

export const Email = Type.String({ maxLength: 254, minLength: 1, description: "The e-mail address of the user" });
/** At sign-in a password is only compared, so any length that can be hashed quickly is accepted. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: 1_000, description: "The password" });
export const Code = Type.String({
  pattern: "^[0-9A-Za-z -]{6,20}$",
  description: "A code of the authenticator app, or a recovery code",
});
export const LinkToken = Type.String({ pattern: "^[A-Za-z0-9_-]{43}$", description: "The token of a link" });

export const SignIn = Type.Object(
  { email: Email, password: GivenPassword, code: Type.Optional(Code) },
  { ...closed, title: "SignIn" },
);
export type SignIn = Type.Static<typeof SignIn>;

export const Confirmation = Type.Object(
  { password: GivenPassword, code: Type.Optional(Code) },
  { ...closed, title: "Confirmation" },
);
export type Confirmation = Type.Static<typeof Confirmation>;

export const OwnName = Type.Object({ name: UserName }, { ...closed, title: "OwnName" });
export type OwnName = Type.Static<typeof OwnName>;

export const SessionItem = Type.Object(
  {
    id: Id("sign_in"),
    current: Type.Boolean({ description: "Whether it is the session of this request" }),
    agent: Type.String({ description: "The browser, as it names itself" }),
    ip: Type.String({ description: "The address of the sign-in" }),
    created_at: Time,
    last_seen_at: Time,
    expires_at: Time,
  },
  { ...closed, title: "SessionItem" },
);
export const SessionList = listOf(SessionItem, "SessionList");

/** Everything that the portal needs before its first page. */
export const Session = Type.Object(
  {
    id: Id("sign_in"),
    user: Type.Object(
      { id: Id("user"), name: Type.String(), email: Type.String(), role: Type.String(), totp: Type.Boolean() },
      closed,
    ),
    scopes: Type.Array(Type.String(), { description: "Empty for a user of the operator, whose API has no scopes" }),
    partner: nullable(
      Type.Object(
        {
          id: Id("partner"),
          company: Type.String(),
          grade: Type.String(),
          currency: Type.String(),
          status: Type.String(),
          api_access: Type.Boolean(),
          branding: Type.Unknown(),
        },
        closed,
      ),
    ),
    house_account_id: nullable(Id("client")),
    accounts: Type.Union([
      Type.Literal("all"),
      Type.Array(
        Type.Object({ id: Id("client"), company: Type.String(), status: Type.String(), branding: Type.Unknown() }, closed),
      ),
    ]),
    programme: Type.Object({ name: Type.String() }, closed),
    demo: Type.Boolean({ description: "Whether the programme was filled with demo data" }),
    smtp: Type.Boolean({ description: "Whether the service sends e-mail" }),
    authenticated_at: Time,
    expires_at: Time,
  },
  { ...closed, title: "Session" },
);
