import { expect, test } from "vitest";
import { failureIn } from "./failures.model.ts";
import { methodIn } from "./methods.model.ts";
import { LANGUAGES } from "./model.ts";
import { qrCode } from "./qr.model.ts";

test("a failure is in the payer's language, and in the provider's words where nobody has translated it", () => {
  expect(LANGUAGES.map((language) => failureIn(language, "The card was declined."))).toEqual([
    "The card was declined.",
    "Die Karte wurde abgelehnt.",
    "La carte a été refusée.",
    "La tarjeta fue rechazada.",
    "O cartão foi recusado.",
  ]);
  expect(failureIn("pt", "The payment was not completed.")).toBe("O pagamento não foi concluído.");
  expect(failureIn("de", "Try another card.")).toBe("Try another card.");
});

test("a method is in the payer's language, with the end of the card's number", () => {
  expect(LANGUAGES.map((language) => methodIn(language, "bank_transfer", null))).toEqual([
    "Bank transfer",
    "Überweisung",
    "Virement",
    "Transferencia",
    "Transferência",
  ]);
  expect(["card", "cash", "cheque", "other"].map((method) => methodIn("de", method, null))).toEqual([
    "Karte",
    "Bargeld",
    "Scheck",
    "Andere",
  ]);
  expect(methodIn("fr", "card", "4242")).toBe("Carte ···· 4242");
  expect(methodIn("en", "sepa_debit_2", null)).toBe("sepa debit 2");
});

test("a QR code is a picture with a border, another for another address", () => {
  const code = qrCode({ url: "https://pay.example/1" });
  expect(code).toMatch(/^<svg[^>]*viewBox="0 0 (\d+) \1"/);
  // The smallest code for so much text at this correction has 25 modules, and the border has four on each side.
  expect(code).toContain('viewBox="0 0 330 330"');
  expect(qrCode({ url: "https://pay.example/2" })).not.toBe(code);
});
