import { expect, test } from "vitest";
import { safeHtml } from "../../../../platform/mail/safe-html.ts";
import { imageAddresses } from "./images.model.ts";

test("the images of a mail are those that it would load, in their order", async () => {
  const html = `<p>One <img alt="a" src="https://a.example/x.png?b=1&amp;c=%22"> <img src="cid:1"> <img src="data:image/png;base64,AA==">
    <img data-src="https://forged.example/"><IMG SRC='http://b.example/"y"' title="data-src=&quot;https://no.example&quot;"></p>`;
  expect(imageAddresses((await safeHtml(html)) ?? "")).toEqual(["https://a.example/x.png?b=1&c=%22", 'http://b.example/"y"']);
});
