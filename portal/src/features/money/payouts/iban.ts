/** An account number as it is printed: capital letters, in groups of four. */
export const inGroups = (text: string) =>
  text
    .replaceAll(/\s/g, "")
    .toUpperCase()
    .replaceAll(/(.{4})(?=.)/g, "$1 ");
