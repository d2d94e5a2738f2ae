import { Refused } from "./egress.ts";

/** Ends an exchange that took too long, and says what it waited for. */
export class DeliveryTimeout extends Error {}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  ECONNABORTED: "the connection was reset",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "no connection could be made in time",
  EMFILE: "this service has too many open connections",
};
const NAME_ERRORS = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME"]);
const NAME_TROUBLE = new Set(["EAI_AGAIN", "ESERVFAIL", "ETIMEOUT", "EREFUSED", "ECONNREFUSED", "ECANCELLED"]);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|CRL|ISSUER|HOSTNAME_MISMATCH/;

/** What went wrong, in plain words for whoever runs the other end. */
export function describeFailure(thrown: unknown, host: string): string {
  const error = firstOf(thrown);
  if (error instanceof Refused || error instanceof DeliveryTimeout) return error.message;
  const { code = "", message, syscall = "" } = error;
  if (NAME_ERRORS.has(code)) return `the name ${host} was not found`;
  if (/^(query|getaddrinfo)/.test(syscall) && NAME_TROUBLE.has(code)) return `the name ${host} could not be looked up`;
  // What Node advises after a semicolon is for us, not for whoever runs the other end.
  if (CERTIFICATE.test(code)) return `the certificate is not valid: ${message.split(";")[0]}`;
  if (code.startsWith("HPE_")) return `the answer was not HTTP: ${message.replace(/^Parse Error: /, "")}`;
  if (/^ERR_SSL|EPROTO/.test(code)) return `no TLS connection could be made: ${message.split("\n")[0]}`;
  return REASONS[code] ?? `the request failed: ${message}`;
}

/** Whether the other end closed the connection, as it may do with one that was kept open and idle. */
export function isReset(thrown: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(firstOf(thrown).code ?? "");
}

/** Several addresses of one name were tried: the first failure stands for all. */
function firstOf(thrown: unknown): NodeJS.ErrnoException {
  const error = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  return error instanceof Error ? error : new Error(String(error));
}
