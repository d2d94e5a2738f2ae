import type { OptionsFilter } from "@mantine/core";

const asGiven: OptionsFilter = ({ options }) => options;

/** For a choice whose options are searched by the service: what it found is offered as it is. */
export const searched = (text: string, setText: (text: string) => void) => ({
  searchable: true,
  searchValue: text,
  onSearchChange: setText,
  filter: asGiven,
});
