import { EgressRefused } from "./egress.ts";

/** A timeout of an exchange, with what it waited for. */
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
const LOOKUP_ERRORS = new Set(["EAI_AGAIN", "ESERVFAIL", "ETIMEOUT", "EREFUSED", "ECONNREFUSED", "ECANCELLED"]);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|CRL|ISSUER|HOSTNAME_MISMATCH/;

/** Describes a failure for the administrator of the receiver. */
export function describeFailure(thrown: unknown, host: string): string {
  const error = firstOf(thrown);
  if (error instanceof EgressRefused || error instanceof DeliveryTimeout) return error.message;
  const { code = "", message, syscall = "" } = error;
  if (NAME_ERRORS.has(code)) return `the name ${host} was not found`;
  if (/^(query|getaddrinfo)/.test(syscall) && LOOKUP_ERRORS.has(code)) return `the name ${host} could not be looked up`;
  // Node's advice after the semicolon is for the sender, not for the receiver.
  if (CERTIFICATE.test(code)) return `the certificate is not valid: ${message.split(";")[0]}`;
  if (code.startsWith("HPE_")) return `the answer was not HTTP: ${message.replace(/^Parse Error: /, "")}`;
  if (/^ERR_SSL|EPROTO/.test(code)) return `no TLS connection could be made: ${message.split("\n")[0]}`;
  return REASONS[code] ?? `the request failed: ${message}`;
}

/** Whether the receiver closed the connection, as it may do with an idle keep-alive connection. */
export function isReset(thrown: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(firstOf(thrown).code ?? "");
}

/** If several addresses of a name were tried, the first failure. */
function firstOf(thrown: unknown): NodeJS.ErrnoException {
  const error = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  return error instanceof Error ? error : new Error(String(error));
}
