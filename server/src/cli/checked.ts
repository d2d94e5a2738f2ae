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
    const details = new Set(specificFaults(error.explanation.faults ?? []).map(nameOption));
    throw new UsageError([...details].join(" "), command);
  }
  return value as Static<Schema>;
}

/** Of a field with several forms, the faults of the form that fits best, not that it matches none of them. */
function specificFaults(faults: Fault[]): Fault[] {
  return faults.filter(
    ({ pointer, code, detail }) =>
      code !== "anyOf" && !detail.endsWith("must be null.") && !faults.some((other) => other.pointer.startsWith(`${pointer}/`)),
  );
}

/** `owner/email is not valid` becomes `--owner-email is not valid`. */
function nameOption({ pointer, detail }: Fault): string {
  const field = pointer.replace(/^#\//, "");
  const option = field.replaceAll(/\/\d+/g, "").replaceAll(/[/_]/g, "-");
  return detail.replace(field, `--${option}`);
}
