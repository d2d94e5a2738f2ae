import fc from "fast-check";
import { expect, test } from "vitest";
import { safeHtml, textOfHtml } from "./safe-html.ts";

test("words, structure and links stay, and lead away from the page", async () => {
  expect(await safeHtml('<p>Hi <b>Ada</b>, see <a href="https://a.example/x">this</a></p>')).toBe(
    '<p>Hi <b>Ada</b>, see <a href="https://a.example/x" rel="noopener noreferrer nofollow" target="_blank">this</a></p>',
  );
  expect(await safeHtml("<table><tr><td colspan='2'>1</td></tr></table>")).toContain('<td colspan="2">1</td>');
  expect(await safeHtml("<style>p{}</style><script>1</script>")).toBeNull();
  expect(await safeHtml("x".repeat(600_000))).toBeNull();
});

test("a remote image is not loaded, and its address is kept for whoever asks to see it", async () => {
  const html = await safeHtml('<img src="https://track.example/p.gif" onerror="alert(1)" width="1" alt="Logo">');
  expect(html).toContain('data-src="https://track.example/p.gif"');
  expect(html).not.toMatch(/ src=|onerror/);
  expect(await safeHtml('<img src="cid:1" data-src="javascript:alert(1)" alt="A">')).toBe('<img alt="A" />');
  expect(await safeHtml('<p style="background:url(https://track.example)" background="https://t.example">A</p>')).toBe(
    "<p>A</p>",
  );
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "<svg onload=alert(1)>",
  "<math><mtext><style><img src onerror=alert(1)></style>",
  '<a href="java\nscript:alert(1)">x</a>',
  "<a href='data:text/html,<script>1</script>'>x</a>",
  "<iframe srcdoc='<script>1</script>'>",
  "<form action=https://a.example><input name=a></form>",
  "<link rel=stylesheet href=https://a.example>",
  "<meta http-equiv=refresh content='0;url=https://a.example'>",
  "<base href=https://a.example>",
  "<p onclick=alert(1) style=position:fixed>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<object data=x>",
  "<video poster=https://a.example><source src=x>",
];

test("hostile HTML is inert, in any order and however it is cut", async () => {
  const FORBIDDEN =
    /<\/?(script|svg|math|style|iframe|form|input|link|meta|base|object|video|source|noscript)\b|<[^>]*\s(on\w+|style|src|srcset|background)\s*=|<[^>]*\s(href|data-src)="(?!https?:|mailto:|tel:)/i;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 6 }), fc.nat(40), async (parts, cut) => {
      expect((await safeHtml(parts.join("").slice(cut))) ?? "").not.toMatch(FORBIDDEN);
    }),
  );
});

test("the words of HTML are its text, line by line", async () => {
  expect(await textOfHtml("<style>x</style><p>Tom &amp; <b>Jerry</b></p><p>1 &lt; 2<br>end</p>")).toBe("Tom & Jerry\n1 < 2\nend");
});
