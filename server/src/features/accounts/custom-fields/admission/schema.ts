import { Id } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";

/** The account that a record belongs to. */
export const AccountId = Type.String({
  ...Id("client"),
  description: "The id of the client that the record belongs to",
  examples: ["cli_01jd3k5y5cf7m8n9p0q1r2s3t4"],
});

/** In a create. The default is the one client that the key is bound to, or the house account. */
export const accountOfNew = { account_id: Type.Optional(AccountId) };

export const OwnerId = Type.String({
  ...Id("user"),
  description: "The id of the user who is responsible for the record",
  examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"],
});
