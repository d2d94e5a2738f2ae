import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { AllOrSome } from "../../ui/all-or-some.tsx";
import { useClientOptions } from "../clients/data.ts";
import { type Endpoint, type EndpointBody, useEventTypes } from "./data.ts";
import { groupsOf } from "./model.ts";
import classes from "./webhooks.module.css";

export type EndpointValues = {
  url: string;
  description: string;
  /** null for all, also later ones. */
  event_types: string[] | null;
  client_ids: string[] | null;
  ordering: Endpoint["ordering"];
  /** One "Name: value" per line. */
  headers: string;
};

export const valuesOf = (endpoint?: Endpoint): EndpointValues => ({
  url: endpoint?.url ?? "",
  description: endpoint?.description ?? "",
  event_types: endpoint === undefined || endpoint.event_types[0] === "*" ? null : endpoint.event_types,
  client_ids: endpoint?.client_ids ?? null,
  ordering: endpoint?.ordering ?? "subject",
  headers: "",
});

/** "Authorization: Basic …" per line. */
function headersOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.includes(":") ? line.indexOf(":") : line.length;
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

export function bodyOf(values: EndpointValues): EndpointBody {
  return {
    url: values.url.trim(),
    description: values.description.trim() === "" ? null : values.description.trim(),
    event_types: (values.event_types ?? ["*"]) as NonNullable<EndpointBody["event_types"]>,
    client_ids: values.client_ids,
    ordering: values.ordering,
    // The values of headers are never shown, so an empty field leaves them as they are.
    ...(values.headers.trim() === "" ? {} : { headers: headersOf(values.headers) }),
  };
}

type Props = { form: UseFormReturnType<EndpointValues>; endpoint?: Endpoint };

export function EndpointFields({ form, endpoint }: Props) {
  const { values, errors } = form;
  const firstError = (field: string) =>
    errors[field] ?? Object.entries(errors).find(([name]) => name.startsWith(`${field}.`))?.[1];
  return (
    <>
      <TextInput
        label="Address"
        placeholder="https://hooks.example.com/tributary"
        data-autofocus
        type="url"
        autoComplete="off"
        {...form.getInputProps("url")}
      />
      <TextInput label="Description" {...form.getInputProps("description")} />
      <EventTypes
        value={values.event_types}
        onChange={(types) => form.setFieldValue("event_types", types)}
        error={firstError("event_types")}
      />
      <AllOrSome
        label="Clients"
        all="All clients, and what concerns you as a whole"
        some="Only some clients"
        value={values.client_ids}
        onChange={(client_ids) => form.setFieldValue("client_ids", client_ids)}
        useOptions={useClientOptions}
        error={firstError("client_ids")}
      />
      <Select
        label="Order"
        data={[
          { value: "subject", label: "By subject: each client, deal … in order" },
          { value: "none", label: "None: whatever is ready, in any order" },
          { value: "strict", label: "Strict: all in order, one at a time" },
        ]}
        {...form.getInputProps("ordering")}
      />
      <Textarea
        label="Extra headers"
        description={
          endpoint !== undefined && endpoint.header_names.length > 0
            ? `Now sent: ${endpoint.header_names.join(", ")}. Their values are not shown; what is typed here replaces all of them.`
            : "One per line; their values are never shown again"
        }
        placeholder="Authorization: Basic aGFyYm91cjpzZWNyZXQ="
        autosize
        minRows={2}
        {...form.getInputProps("headers")}
        error={firstError("headers")}
      />
    </>
  );
}

type TypesProps = { value: string[] | null; onChange(value: string[] | null): void; error?: React.ReactNode };

/** All types, also later ones, or some, by resource. */
function EventTypes({ value, onChange, error }: TypesProps) {
  const types = useEventTypes().data ?? [];
  const names = types.map(({ type }) => type as string);
  const set = (some: readonly string[], on: boolean) =>
    onChange(names.filter((type) => (some.includes(type) ? on : (value ?? []).includes(type))));
  return (
    <fieldset className={classes.types}>
      <legend>Events</legend>
      <Checkbox
        label="All, also types that are added later"
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : names)}
      />
      {value !== null &&
        groupsOf(names).map(([resource, some]) => {
          const on = some.filter((type) => value.includes(type)).length;
          return (
            <div key={resource} className={classes.group}>
              <Checkbox
                label={resource}
                checked={on === some.length}
                indeterminate={on > 0 && on < some.length}
                onChange={() => set(some, on < some.length)}
              />
              <div>
                {some.map((type) => (
                  <Checkbox
                    key={type}
                    label={<code>{type}</code>}
                    title={types.find((known) => known.type === type)?.summary}
                    checked={value.includes(type)}
                    onChange={({ currentTarget }) => set([type], currentTarget.checked)}
                  />
                ))}
              </div>
            </div>
          );
        })}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
