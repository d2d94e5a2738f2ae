import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Email, GivenPassword, LinkToken } from "../schema.ts";

/** The rules for new passwords are in words, because a schema knows neither the address of the user nor what is common. */
export const NewPassword = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: "The new password: 10 to 200 characters, neither the own e-mail address nor a common password",
});

export const PasswordChange = Type.Object(
  { current_password: GivenPassword, password: NewPassword },
  { ...closed, title: "PasswordChange" },
);
export type PasswordChange = Type.Static<typeof PasswordChange>;

export const PasswordResetRequest = Type.Object({ email: Email }, { ...closed, title: "PasswordResetRequest" });

export const PasswordReset = Type.Object({ token: LinkToken, password: NewPassword }, { ...closed, title: "PasswordReset" });
export type PasswordReset = Type.Static<typeof PasswordReset>;
