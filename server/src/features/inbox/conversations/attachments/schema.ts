import { closed, FreeText, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { AccountId } from "../../../accounts/custom-fields/index.ts";

export const UploadQuery = Type.Object(
  {
    filename: Type.Optional(FreeText(200, "The name of the file. Default: file", "invoice.pdf")),
    media_type: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: "^[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*$",
        description: "What the file is. Default: application/octet-stream",
        examples: ["application/pdf"],
      }),
    ),
    account_id: Type.Optional(AccountId),
  },
  closed,
);
export type UploadQuery = Type.Static<typeof UploadQuery>;

export const Attachment = Type.Object(
  {
    id: Id("attachment"),
    account_id: AccountId,
    message_id: nullable(Type.String({ ...Id("message"), description: "The message that it belongs to; null until it is sent" })),
    name: Type.String({ examples: ["invoice.pdf"] }),
    media_type: Type.String({ examples: ["application/pdf"] }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
      pattern: "^[0-9a-f]{64}$",
      description: "The hash of the file, in hexadecimal",
    }),
    created_at: Time,
  },
  { ...closed, title: "Attachment" },
);
