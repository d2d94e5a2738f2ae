import { expect, test } from "vitest";
import { LINKS, linkUrl, PURPOSES } from "./model.ts";

test("each link is valid for its time and opens its page, with the token in the fragment", () => {
  const minutes = PURPOSES.map((purpose) => [linkUrl("https://a.example", purpose, "t0"), LINKS[purpose].life_ms / 60_000]);
  expect(minutes).toEqual([
    ["https://a.example/portal/link#t0", 15],
    ["https://a.example/portal/reset#t0", 60],
    ["https://a.example/portal/invitation#t0", 10_080],
  ]);
});
