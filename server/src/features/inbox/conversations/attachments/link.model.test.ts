import { expect, test } from "vitest";
import { createSigner } from "../../../../platform/crypto/sign.ts";
import { type FileLink, fileLink, isFileLink } from "./link.model.ts";

const signer = createSigner("one secret");
const NOW = new Date("2026-05-01T10:00:00.900Z");
const HOURS_6 = 6 * 3_600_000;

/** The parts of a link, as a request has them. */
function partsOf(link: string): FileLink {
  const { pathname, searchParams } = new URL(link);
  const [, , partner_id = "", id = ""] = pathname.split("/");
  return { partner_id, id, until: Number(searchParams.get("until")), mac: searchParams.get("mac") ?? "" };
}

const link = partsOf(fileLink(signer, "https://a.example", { partner_id: "par_1", id: "fil_1" }, NOW));
const at = (ms: number) => new Date(NOW.getTime() + ms);

test("a link leads to its file for six hours", () => {
  expect(link).toMatchObject({ partner_id: "par_1", id: "fil_1", until: Math.floor(NOW.getTime() / 1000) + 6 * 3_600 });
  expect(isFileLink(signer, link, NOW)).toBe(true);
  expect(isFileLink(signer, link, at(HOURS_6 - 1_000))).toBe(true);
  expect(isFileLink(signer, link, new Date(link.until * 1000))).toBe(false);
});

test("a link to another file, of another partner, for longer or of another key is none", () => {
  for (const other of [{ id: "fil_2" }, { partner_id: "par_2" }, { until: link.until + 1 }, { mac: `x${link.mac.slice(1)}` }])
    expect(isFileLink(signer, { ...link, ...other }, NOW), JSON.stringify(other)).toBe(false);
  expect(isFileLink(createSigner("another secret"), link, NOW)).toBe(false);
});
