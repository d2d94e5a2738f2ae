import { ConfigError } from "../../config.ts";
import { StartError } from "../../installation.ts";
import { ERRORS, Refusal } from "../../kernel/errors.ts";
import { BackupRefused } from "../../platform/backup/format.ts";
import { isUnreachable } from "../../platform/db/connection.ts";
import { DistributeRefused } from "../../platform/db/distribute.ts";
import { EmbeddedDatabaseError } from "../../platform/postgres/errors.ts";
import { CommandRefusal, UsageError } from "./errors.ts";
import { cell, wrap } from "./table.ts";

/** An error for the user: what went wrong, and how to fix it. */
export type Problem = { code: string; message: string; remedy: string | null; [member: string]: unknown };

/** Explains every error in words, without a stack: the user can fix most of them. */
export function explain(error: unknown): Problem {
  if (error instanceof UsageError) {
    const help = error.command === null ? "tributary --help" : `tributary ${error.command} --help`;
    return { code: "usage", message: error.message, remedy: `${help} shows how to use it.` };
  }
  if (error instanceof ConfigError) {
    return { code: "configuration", message: error.message, remedy: "See docs/configuration.md.", faults: error.faults };
  }
  if (error instanceof EmbeddedDatabaseError) return { code: "database", message: error.message, remedy: error.remedy };
  if (error instanceof StartError) return { code: "installation", message: error.message, remedy: null };
  if (error instanceof BackupRefused) return { code: "backup", message: error.message, remedy: error.remedy };
  if (error instanceof DistributeRefused) return { code: "cluster", message: error.message, remedy: error.remedy };
  if (error instanceof CommandRefusal) return { code: error.code, message: error.message, remedy: error.remedy };
  if (error instanceof Refusal) return explainRefusal(error);
  const message = error instanceof Error ? error.message : String(error);
  if (isUnreachable(error)) {
    const remedy = "Check that it is running, and that DATABASE_URL is correct.";
    return { code: "database_unreachable", message: `The database is not reachable: ${message}.`, remedy };
  }
  const sqlstate = sqlState(error);
  if (sqlstate !== null)
    return { code: "database", message: `The database refused: ${message}.`, remedy: remedyOf(sqlstate), sqlstate };
  return { code: "internal_error", message: `Unexpected error: ${message}`, remedy: "Please report it." };
}

function explainRefusal({ code, explanation }: Refusal): Problem {
  const [, title, remedy] = ERRORS[code];
  const { detail = title, faults, meta = {} } = explanation;
  const message = (faults?.length ?? 0) > 1 ? title : detail;
  return { code, message, remedy, ...meta, ...(faults === undefined ? {} : { errors: faults }) };
}

function remedyOf(sqlstate: string): string {
  if (/^(55P03|57014|40)/.test(sqlstate))
    return "Another session held a lock that this command needs. Nothing was changed: retry.";
  if (/^(28|3D)/.test(sqlstate)) return "Check the login and the database in DATABASE_URL and DATABASE_OWNER_URL.";
  return "tributary doctor diagnoses the installation.";
}

function sqlState(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** A problem as lines for people. */
export function problemLines({ message, remedy, errors }: Problem, width: number): string[] {
  const details = Array.isArray(errors) && errors.length > 1 ? errors.map((fault) => `  - ${cell(fault.detail)}`) : [];
  const lines = message.split("\n").flatMap((line) => (line.startsWith("  ") ? [line] : wrap(cell(line), width)));
  return [...lines, ...details, ...(remedy === null ? [] : wrap(remedy, width, "  "))];
}
