/** How much the heavy tests do: every kind of thing by default, and often with TEST_SIZE=large. */
export function sized<Size>(small: Size, large: Size): Size {
  return process.env.TEST_SIZE === "large" ? large : small;
}
