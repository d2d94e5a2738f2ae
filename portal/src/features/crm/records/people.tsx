import { Select } from "@mantine/core";
import { useSession } from "../../../api/session.ts";
import { usePeople } from "./data.ts";

/** The name of whoever did something, by id. */
export function usePersonName(): (id: string) => string {
  const people = usePeople();
  const { user } = useSession();
  return (id) => {
    if (id === user.id) return user.name;
    const known = people.find((person) => person.id === id)?.name;
    if (known !== undefined) return known;
    return id.startsWith("key_") ? "An API key" : id.startsWith("usr_") ? "A colleague" : "Tributary";
  };
}

type Props = { label?: string; value?: string | null; onChange?(value: string | null): void; error?: React.ReactNode };

/** Chooses somebody of the team. */
export function OwnerSelect({ label = "Owner", value, ...rest }: Props) {
  const people = usePeople();
  const known = !value || people.some(({ id }) => id === value) ? people : [...people, { id: value, name: "A colleague" }];
  return (
    <Select
      label={label}
      placeholder="Nobody"
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      clearable
      allowDeselect
      searchable
      {...rest}
    />
  );
}
