import { Checkbox, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import classes from "./channels.module.css";
import { DAYS } from "./hours.ts";
import type { Values } from "./values.ts";

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** When somebody is there: always, or by day of the week in a time zone. */
export function HoursFields({ form, disabled }: { form: UseFormReturnType<Values>; disabled: boolean }) {
  return (
    <fieldset className={classes.hours}>
      <legend>Hours</legend>
      <Checkbox
        label="Somebody is there at certain hours only"
        description="A web chat says when you are back; agents answer within the hours"
        disabled={disabled}
        {...form.getInputProps("limited", { type: "checkbox" })}
      />
      {form.values.limited && (
        <>
          <Select
            label="Time zone"
            searchable
            allowDeselect={false}
            data={ZONES}
            disabled={disabled}
            {...form.getInputProps("timezone")}
          />
          {Object.entries(DAYS).map(([day, name]) => (
            <TextInput
              key={day}
              label={name}
              placeholder="Closed"
              autoComplete="off"
              disabled={disabled}
              classNames={{ root: classes.day }}
              {...form.getInputProps(`hours.${day}`)}
            />
          ))}
          <p className="muted">Such as 09:00-12:00, 13:00-17:30. Empty is closed.</p>
        </>
      )}
    </fieldset>
  );
}
