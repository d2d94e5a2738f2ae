import { TagsInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CountInput } from "../../ui/amount.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "../operator.module.css";
import type { Programme } from "./data.ts";

/** The settings of affiliate links, as the form shows them. */
export const linkValuesOf = ({ link_hosts, link_window_days }: Programme) => ({
  link_hosts,
  link_window_days: link_window_days as number | string,
});

export type LinkValues = ReturnType<typeof linkValuesOf>;

/** As the API wants it. */
export const linkBodyOf = ({ link_hosts, link_window_days }: LinkValues) => ({
  link_hosts: link_hosts.map((host) => host.trim().toLowerCase()),
  link_window_days: Number(link_window_days),
});

/** A fault of one host is shown at the field of all. */
const hostFault = (errors: Record<string, React.ReactNode>) =>
  Object.entries(errors).find(([field]) => field.startsWith("link_hosts"))?.[1];

/** Where the links of partners may lead, and for how long a click counts. */
// biome-ignore lint/suspicious/noExplicitAny: any form that has these fields
export function AffiliateLinks({ form }: { form: UseFormReturnType<any> }) {
  const { link_hosts: hosts } = form.values as LinkValues;
  return (
    <Section title="Affiliate links">
      <div className={classes.fields}>
        <TagsInput
          label="Hosts"
          description="Where links may lead, with their subdomains; empty: anywhere on https"
          placeholder={hosts.length === 0 ? "shop.example" : ""}
          splitChars={[",", " "]}
          acceptValueOnBlur
          {...form.getInputProps("link_hosts")}
          error={hostFault(form.errors)}
        />
        <CountInput
          label="Window, days"
          description="For how long a click counts, of links that name no other"
          min={1}
          max={365}
          {...form.getInputProps("link_window_days")}
        />
        <p className="muted">They are for links that are made or changed from now on.</p>
      </div>
    </Section>
  );
}
