import { expect, test } from "vitest";
import { html } from "./html.ts";

test("texts cannot become markup, wherever they stand", () => {
  const hostile = `"><script>alert('1')</script>&`;
  const { markup } = html`<p title="${hostile}">${hostile}</p>`;
  const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";
  expect(markup).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test("markup, lists of it and numbers are taken, null and false are left out", () => {
  expect(html`${html`<b>${1}</b>`}${[html`<i>a</i>`, html`<i>b</i>`]}${null}${false}`.markup).toBe("<b>1</b><i>a</i><i>b</i>");
});
