import { Radio, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useSession } from "../../api/session.ts";
import { AllOrSome } from "../../ui/all-or-some.tsx";
import { useClientOptions } from "../clients/data.ts";
import type { Role, User, UserBody } from "./data.ts";
import { ROLES } from "./roles.ts";
import classes from "./users.module.css";

export type UserValues = { name: string; email: string; role: Role; accounts: string[] | null };

export const valuesOf = (user?: User): UserValues => ({
  name: user?.name ?? "",
  email: user?.email ?? "",
  role: user?.role ?? "member",
  accounts: user === undefined || user.accounts === "all" ? null : user.accounts,
});

export const bodyOf = ({ name, email, role, accounts }: UserValues): UserBody => ({
  name,
  email: email.trim(),
  role,
  accounts: accounts ?? "all",
});

export function UserFields({ form, self = false }: { form: UseFormReturnType<UserValues>; self?: boolean }) {
  const { role: own } = useSession().user;
  return (
    <>
      <TextInput label="Name" data-autofocus autoComplete="off" {...form.getInputProps("name")} />
      <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps("email")} />
      <Radio.Group label="Role" {...form.getInputProps("role")}>
        <div className={classes.roles}>
          {ROLES.map(({ value, name, may }) => (
            <Radio
              key={value}
              value={value}
              label={name}
              description={value === "owner" && own !== "owner" ? `${may}. Only an owner can give this.` : may}
              disabled={self || (value === "owner" && own !== "owner")}
            />
          ))}
        </div>
      </Radio.Group>
      {self || (
        <AllOrSome
          label="Accounts"
          all="All clients, also later ones, and your own"
          some="Only some clients: the portal then looks like theirs"
          value={form.values.accounts}
          onChange={(accounts) => form.setFieldValue("accounts", accounts)}
          useOptions={useClientOptions}
          error={form.errors.accounts}
        />
      )}
    </>
  );
}
