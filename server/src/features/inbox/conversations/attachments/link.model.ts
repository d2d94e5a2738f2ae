import type { Signer } from "../../../../platform/crypto/sign.ts";

/** Long enough for a provider that holds a message back for some hours. */
const VALID_S = 6 * 3_600;

/** A file of a partner, as a link names it: until a second of time, with a signature. */
export type FileLink = { partner_id: string; id: string; until: number; mac: string };

const signed = ({ partner_id, id, until }: Omit<FileLink, "mac">) => `${partner_id} ${id} ${until}`;
const PURPOSE = "file link";

/** An address for a provider that fetches a file. Whoever has it can read the file until it expires. */
export function fileLink(signer: Signer, base_url: string, file: Pick<FileLink, "partner_id" | "id">, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + VALID_S;
  const mac = signer.sign(signed({ ...file, until }), PURPOSE);
  return `${base_url}/files/${file.partner_id}/${file.id}?until=${until}&mac=${mac}`;
}

export function isFileLink(signer: Signer, link: FileLink, now: Date): boolean {
  return signer.verify(signed(link), PURPOSE, link.mac) && link.until * 1000 > now.getTime();
}
