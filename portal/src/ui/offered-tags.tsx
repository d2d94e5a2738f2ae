import { TagsInput, type TagsInputProps } from "@mantine/core";
import { useState } from "react";

/** Tags, with those that the account offers. The list of them closes with each tag, so that it does not stay over what stands below. */
export function OfferedTags({ onChange, ...props }: TagsInputProps) {
  const [opened, setOpened] = useState(false);
  return (
    <TagsInput
      label="Tags"
      description="Enter adds one"
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onChange={(tags) => {
        setOpened(false);
        onChange?.(tags);
      }}
      {...props}
    />
  );
}
