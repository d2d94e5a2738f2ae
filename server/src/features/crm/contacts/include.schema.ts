import { closed } from "../../../platform/http/shapes.ts";
import { type TProperties, Type } from "../../../platform/http/type.ts";
import { Contact } from "./schema.ts";

/** The parameter of a list whose rows can have their contact with them. */
export const include = {
  include: Type.Optional(
    Type.Enum(["contact"], { description: "contact adds the contact of each record as `included.contact`; needs contacts:read" }),
  ),
};

/** The row of such a list. */
export const withIncluded = <P extends TProperties>(properties: P, title: string) =>
  Type.Object(
    {
      ...properties,
      included: Type.Optional(
        Type.Object(
          {
            contact: Type.Union([Contact, Type.Null()], {
              description: "Contact of the record; null if it has none, or if it was deleted",
            }),
          },
          { ...closed, description: "Present if include is sent" },
        ),
      ),
    },
    { ...closed, title },
  );
