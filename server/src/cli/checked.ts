import { type Fault, Refusal } from "../kernel/errors.ts";
import type { Static, TSchema } from "../platform/http/type.ts";
import { UsageError } from "./shell/errors.ts";

/** Validates values with the API's own schema; the messages name the options that the values came from. */
export async function checked<Schema extends TSchema>(
  command: string,
  schema: Schema,
  source: "body" | "query",
  values: Record<string, unknown>,
): Promise<Static<Schema>> {
  const { compile } = await import("../platform/http/validation.ts");
  const value = Object.fromEntries(Object.entries(values).filter(([, member]) => member !== undefined));
  try {
    compile(schema, source)(value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const details = new Set((error.explanation.faults ?? []).map(nameOption));
    throw new UsageError([...details].join(" "), command);
  }
  return value as Static<Schema>;
}

/** `owner.email is required` becomes `--owner-email is required`. */
function nameOption({ pointer, detail }: Fault): string {
  const path = pointer.replace(/^#\//, "").replaceAll("/", ".");
  const field = path.replaceAll(/\.\d+/g, "");
  return detail.replace(detail.startsWith(path) ? path : field, `--${field.replaceAll(/[._]/g, "-")}`);
}
