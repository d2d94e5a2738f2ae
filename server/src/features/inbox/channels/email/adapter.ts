import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter } from "../adapter.ts";
import { checkMail, type EmailConfig, type EmailSecrets, mailAddress, sendMail } from "./wire.ts";

const Host = Type.String({ minLength: 1, maxLength: 253, pattern: "^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$" });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const User = Type.String({ minLength: 1, maxLength: 254, pattern: "^[^\\u0000-\\u001f]+$" });
const Tls = Type.Enum(["tls", "starttls", "none"]);
const Password = Type.String({ minLength: 1, maxLength: 500, pattern: "^[^\\u0000\\r\\n]+$" });

/** E-mail: out over SMTP, in from a mailbox or through the service's own listener. */
export const email: Adapter<EmailConfig, EmailSecrets> = {
  kind: "email",
  config: Type.Object(
    {
      from: Type.String({
        maxLength: 200,
        pattern: '^[^\\s<>@+",;:\\\\()\\[\\]]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$',
      }),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f]+$" })),
      plus_address: Type.Optional(Type.Boolean()),
      smtp: Type.Object({ host: Host, port: Port, user: User, tls: Type.Optional(Tls) }, closed),
      imap: Type.Optional(
        Type.Object(
          {
            host: Host,
            port: Port,
            user: Type.Optional(User),
            tls: Type.Optional(Tls),
            folder: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\u0000-\\u001f]+$" })),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  secrets: Type.Object({ smtp_password: Password, imap_password: Type.Optional(Password) }, closed),
  capabilities: {
    text_max: 10_000,
    html: true,
    attachments: 10,
    window_hours: null,
    delivered: false,
    read: false,
    idempotent: false,
    consent: "email",
  },
  addressOf: ({ email: address }) => mailAddress(address),
  check: checkMail,
  send: sendMail,
  // Nobody calls a hook for e-mail.
  verify: () => false,
  parse: () => [],
};
