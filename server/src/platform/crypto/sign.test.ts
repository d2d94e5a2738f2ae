import { describe, expect, test } from "vitest";
import { createSigner } from "./sign.ts";

const signer = createSigner("a secret key of at least thirty-two characters");

describe("a signature", () => {
  test("is valid for its text and purpose, in every process with the same key", () => {
    const mac = signer.sign("a text", "click");
    expect(mac).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(signer.verify("a text", "click", mac)).toBe(true);
    expect(createSigner("a secret key of at least thirty-two characters").verify("a text", "click", mac)).toBe(true);
  });

  test("is not valid for anything else", () => {
    const mac = signer.sign("a text", "click");
    expect(signer.verify("another text", "click", mac)).toBe(false);
    expect(signer.verify("a text", "visit", mac)).toBe(false);
    expect(createSigner("another secret key of thirty-two characters").verify("a text", "click", mac)).toBe(false);
    for (const other of ["", mac.slice(1), `${mac}A`, `${mac}=`, mac.toUpperCase(), `B${mac.slice(1)}`])
      expect(signer.verify("a text", "click", other === mac ? "" : other)).toBe(false);
  });
});
