import { Type } from "typebox";
import { Id } from "../../../../platform/http/shapes.ts";

/** The account that a record lives in. */
export const AccountId = Type.String({
  ...Id("client"),
  description: "the id of the client in whose account it is",
  examples: ["cli_01jd3k5y5cf7m8n9p0q1r2s3t4"],
});

/** In a create: left out, it is the one client that the key is bound to, or the house account. */
export const accountOfNew = { account_id: Type.Optional(AccountId) };

export const OwnerId = Type.String({
  ...Id("user"),
  description: "the id of the user who looks after it",
  examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"],
});
