/** "+1 207 555 0142". Numbers of other plans stay as they are: where they are spaced is known to their country alone. */
export const spaced = (phone: string | null | undefined): string | null =>
  phone?.replace(/^(\+1)(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3 $4") ?? null;
