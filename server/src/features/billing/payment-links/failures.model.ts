import type { Language } from "./model.ts";

/** Why a payment did not go through, as providers say it, for payers who read something else. */
const FAILURES: Readonly<Record<string, Readonly<Record<Exclude<Language, "en">, string>>>> = {
  "The card was declined.": {
    de: "Die Karte wurde abgelehnt.",
    fr: "La carte a été refusée.",
    es: "La tarjeta fue rechazada.",
    pt: "O cartão foi recusado.",
  },
  "The payment was not completed.": {
    de: "Die Zahlung wurde nicht abgeschlossen.",
    fr: "Le paiement n’a pas été terminé.",
    es: "El pago no se completó.",
    pt: "O pagamento não foi concluído.",
  },
};

/** A failure in a language; what only the provider knows stays in its own words. */
export function failureIn(language: Language, failure: string): string {
  return language === "en" ? failure : (FAILURES[failure]?.[language] ?? failure);
}
