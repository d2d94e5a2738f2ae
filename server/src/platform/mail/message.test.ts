import fc from "fast-check";
import { expect, test } from "vitest";
import { renderMail } from "./message.ts";

const content = (name: string) => ({
  programme: "Harbour",
  subject: `Invitation to ${name}`,
  paragraphs: [`Hello ${name},`],
  action: { label: "Accept", url: "https://partners.example/portal/invitation#token" },
  note: "Small print.",
});

test("an e-mail says the same as text and as HTML", () => {
  const { subject, text, html } = renderMail("nora@northwind.example", content("Bo & Co"));
  expect(subject).toBe("Invitation to Bo & Co");
  expect(text).toBe(
    "Hello Bo & Co,\n\nAccept:\nhttps://partners.example/portal/invitation#token\n\nSmall print.\n\n-- \nHarbour\n",
  );
  expect(html).toContain("Hello Bo &amp; Co,");
  expect(html).toContain('href="https://partners.example/portal/invitation#token"');
});

test("a name has no line, no header and no markup of its own", () => {
  const words = fc.constantFrom("\r\n", "\n", "\u2028", "<script>", '"', "Bcc: other@test.example", "\u202e", "Bo");
  fc.assert(
    fc.property(fc.array(words), (parts) => {
      const { subject, text, html } = renderMail("nora@northwind.example", content(parts.join("")));
      expect(subject).not.toMatch(/[\r\n\u2028\u202e]/);
      expect(text.split("\n")[0]).toMatch(/^Hello/);
      expect(text.split("\n")).toHaveLength(10);
      expect(html).not.toMatch(/<script/);
    }),
  );
});
