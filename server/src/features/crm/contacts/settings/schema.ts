import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../../../accounts/custom-fields/index.ts";

const SharedPhones = Type.Boolean({
  description: "Whether several contacts of the account may have the same phone",
  examples: [true],
});

export const ContactSettingsQuery = Type.Object({ ...accountOfNew }, closed);
export type ContactSettingsQuery = Type.Static<typeof ContactSettingsQuery>;

export const ContactSettingsPatch = Type.Object(
  { ...accountOfNew, shared_phones: SharedPhones },
  { ...closed, title: "ContactSettingsPatch" },
);
export type ContactSettingsPatch = Type.Static<typeof ContactSettingsPatch>;

export const ContactSettings = Type.Object(
  { account_id: AccountId, shared_phones: SharedPhones },
  { ...closed, title: "ContactSettings", description: "The contact settings of an account." },
);
