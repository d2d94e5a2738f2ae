import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Code } from "../schema.ts";

export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: "The secret in base32, for typing it into the app" }),
    uri: Type.String({ description: "The same as an otpauth address, for a QR code" }),
  },
  { ...closed, title: "TotpSecret" },
);

export const TotpConfirmation = Type.Object({ code: Code }, { ...closed, title: "TotpConfirmation" });

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String(), { description: "Each signs in once without the app. They are shown only now." }) },
  { ...closed, title: "RecoveryCodes" },
);
