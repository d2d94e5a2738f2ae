import type { Static, TSchema } from "typebox";
import { type Fault, Refusal } from "../kernel/errors.ts";
import { UsageError } from "./shell/errors.ts";

/** Holds values to the schema that the API holds them to; what is wrong is said of the options they came from. */
export async function checked<Schema extends TSchema>(
  command: string,
  schema: Schema,
  place: "body" | "query",
  given: Record<string, unknown>,
): Promise<Static<Schema>> {
  const { compile } = await import("../platform/http/validation.ts");
  const value = Object.fromEntries(Object.entries(given).filter(([, member]) => member !== undefined));
  try {
    compile(schema, place)(value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const details = new Set(tellingFaults(error.explanation.faults ?? []).map(sayOfOption));
    throw new UsageError([...details].join(" "), command);
  }
  return value as Static<Schema>;
}

/** Of a field that may take several forms, what is wrong with the one that was meant: not that it is none of them. */
function tellingFaults(faults: Fault[]): Fault[] {
  return faults.filter(
    ({ pointer, code, detail }) =>
      code !== "anyOf" && !detail.endsWith("must be null.") && !faults.some((other) => other.pointer.startsWith(`${pointer}/`)),
  );
}

/** `owner/email is not valid` becomes `--owner-email is not valid`. */
function sayOfOption({ pointer, detail }: Fault): string {
  const field = pointer.replace(/^#\//, "");
  const option = field.replaceAll(/\/\d+/g, "").replaceAll(/[/_]/g, "-");
  return detail.replace(field, `--${option}`);
}
