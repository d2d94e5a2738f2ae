/** The members of errors that hold no values: PostgreSQL's `detail`, `where`, `hint` and `internalQuery` quote rows of customers. */
const MEMBERS = ["code", "errno", "syscall", "address", "port", "severity", "schema", "table", "column", "constraint", "routine"];

/** Errors of PostgreSQL whose message quotes a value: data exceptions, and those that a function raises. */
const QUOTES_VALUES = /^(22|P0)/;

type Members = Record<string, unknown>;

/** An error as the log shows it. Only what is known to hold no customer's values is taken over. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === "object" ? { type: "object" } : error;
  const members = error as unknown as Members;
  const quotes = typeof members.severity === "string" && QUOTES_VALUES.test(String(members.code));
  const message = quotes ? "(left out, because it may quote a value)" : error.message;
  const logged: Members = {
    type: error.constructor.name,
    message,
    stack: error.stack?.replace(error.message, () => message),
  };
  for (const name of MEMBERS) if (members[name] !== undefined) logged[name] = members[name];
  if (error.cause !== undefined) logged.cause = loggedError(error.cause);
  if (error instanceof AggregateError) logged.errors = error.errors.map(loggedError);
  return logged;
}
