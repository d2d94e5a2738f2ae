import type { Email } from "postal-mime";
import { expect, test } from "vitest";
import { automaticSign } from "./automatic.model.ts";

const mail = (headers: Record<string, string> = {}, from = "ada@home.example", returnPath?: string) =>
  ({
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    from: { address: from, name: "" },
    returnPath,
  }) as unknown as Email;
const sign = (headers: Record<string, string>) => automaticSign(mail(headers), null, null);

test.each([
  [{}, null],
  [{ "auto-submitted": "auto-replied" }, "auto_submitted"],
  [{ "auto-submitted": "AUTO-GENERATED; x=y" }, "auto_submitted"],
  [{ "auto-submitted": "no" }, null],
  [{ "auto-submitted": " No ; comment" }, null],
  [{ precedence: " Bulk " }, "precedence"],
  [{ precedence: "list" }, "precedence"],
  [{ precedence: "junk" }, "precedence"],
  [{ precedence: "auto_reply" }, "precedence"],
  [{ precedence: "first-class" }, null],
  [{ "list-id": "<x>" }, "list"],
  [{ "list-unsubscribe": "" }, "list"],
  [{ "list-post": "NO" }, "list"],
  [{ "x-autoreply": "yes" }, "auto_response"],
  [{ "x-autorespond": "" }, "auto_response"],
  [{ "x-auto-response-suppress": "All" }, "auto_response"],
  [{ "return-path": "<>" }, "empty_return_path"],
  [{ "return-path": " < > " }, "empty_return_path"],
  [{ "return-path": "<ada@home.example>" }, null],
])("%j: %s", (headers, expected) => {
  expect(sign(headers)).toBe(expected);
});

test("the envelope says who sent it, before the return path", () => {
  expect(automaticSign(mail(), "", null)).toBe("empty_return_path");
  expect(automaticSign(mail(), "<>", null)).toBe("empty_return_path");
  expect(automaticSign(mail({ "return-path": "<>" }), "ada@home.example", null)).toBeNull();
  expect(automaticSign(mail({}, undefined, "<>"), null, null)).toBe("empty_return_path");
  expect(automaticSign(mail({}, undefined, "ada@home.example"), null, null)).toBeNull();
});

test("machines are known by their addresses", () => {
  const names = ["noreply", "no-reply", "No_Reply", "no.reply", "donotreply", "do-not-reply", "do_not_reply", "mailer-daemon"];
  const more = ["postmaster", "bounce", "bounces", "listserv", "majordomo", "no-reply+7", "bounce-12", "bounces=x"];
  for (const name of [...names, ...more])
    expect(automaticSign(mail({}, `${name}@a.example`), null, null), name).toBe("no_reply_sender");
  for (const name of ["noreplyist", "ada.noreply", "bouncer", "postmasters", "reply"])
    expect(automaticSign(mail({}, `${name}@a.example`), null, null), name).toBeNull();
  expect(automaticSign(mail({}, "noreply"), null, null)).toBe("no_reply_sender");
  expect(automaticSign({ ...mail(), from: undefined } as unknown as Email, null, null)).toBeNull();
});

test("one of our own channels is a machine", () => {
  expect(automaticSign(mail(), null, "chn_1")).toBe("channel");
});
