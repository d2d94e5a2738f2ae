import { ColorInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Branding } from "../../api/session.ts";
import { Pair } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "./clients.module.css";
import type { Client } from "./data.ts";

const MEMBERS = ["product_name", "primary_color", "logo_url", "domain", "support_email"] as const;

export type BrandingValues = { branding: Record<(typeof MEMBERS)[number], string> };

/** What a client has of its own: the API shows the partner's in place of what it has not. */
export function ownBranding({ branding }: Client, partner: Branding): BrandingValues["branding"] {
  const entries = MEMBERS.map((name) => [name, branding[name] === partner[name] ? "" : (branding[name] ?? "")]);
  return Object.fromEntries(entries) as BrandingValues["branding"];
}

/** As the API wants it: only what is filled in, and null for nothing of its own. */
export function brandingBody(values: BrandingValues["branding"]): Branding | null {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== "");
  return filled.length === 0 ? null : Object.fromEntries(filled);
}

type Props<Values extends BrandingValues> = { form: UseFormReturnType<Values>; partner: Branding };

/** What the staff and the customers of the client see. The partner's stands where a field is empty. */
export function BrandingFields<Values extends BrandingValues>({ form, partner }: Props<Values>) {
  const field = (name: keyof BrandingValues["branding"], example: string) => ({
    placeholder: partner[name] ?? example,
    autoComplete: "off",
    ...form.getInputProps(`branding.${name}`),
  });
  return (
    <Section title="Branding" aside="yours, where it is empty">
      <div className={classes.fields}>
        <Pair>
          <TextInput label="Product name" {...field("product_name", "Harbour Desk")} />
          <ColorInput
            eyeDropperButtonProps={{ "aria-label": "Pick a colour from the screen" }}
            label="Colour"
            format="hex"
            classNames={{ input: "t-input", label: "t-label", error: "t-error" }}
            {...field("primary_color", "Six hexadecimal digits after #")}
          />
        </Pair>
        <TextInput label="Logo" {...field("logo_url", "https://cdn.example/logo.svg")} />
        <Pair>
          <TextInput label="Domain" {...field("domain", "app.example.com")} />
          <TextInput label="Support address" type="email" {...field("support_email", "help@example.com")} />
        </Pair>
      </div>
    </Section>
  );
}
