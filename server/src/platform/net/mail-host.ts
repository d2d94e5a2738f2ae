import { type Egress, EgressRefused } from "./egress.ts";

/** A server of e-mail: encrypted from the start, by STARTTLS, which is then required, or not at all. */
export type MailHost = { host: string; port: number; tls: "tls" | "starttls" | "none" };

/** Gives the address that connections to a mail server are made to. Throws `EgressRefused` where they are not allowed. */
export type ReachMail = (server: MailHost) => Promise<string>;

/** The ports of submission and of mailboxes. The rule of the ports of https does not hold for mail. */
export const MAIL_PORTS: readonly number[] = [25, 143, 465, 587, 993, 2525];

/** Only development may send passwords and mail in plain text, or to other ports. */
export function createMailReach({ policy, addressOf }: Egress): ReachMail {
  return async ({ host, port, tls }) => {
    if (policy === "strict" && !MAIL_PORTS.includes(port))
      throw new EgressRefused(`the port ${port} is not one of mail: ${MAIL_PORTS.join(", ")}`);
    if (policy === "strict" && tls === "none") throw new EgressRefused("mail is sent over encrypted connections only");
    return addressOf(host);
  };
}
