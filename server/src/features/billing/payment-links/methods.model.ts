import type { Language } from "./model.ts";

/** How a payment was made, as payers say it. */
const METHODS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  card: { en: "Card", de: "Karte", fr: "Carte", es: "Tarjeta", pt: "Cartão" },
  cash: { en: "Cash", de: "Bargeld", fr: "Espèces", es: "Efectivo", pt: "Dinheiro" },
  cheque: { en: "Cheque", de: "Scheck", fr: "Chèque", es: "Cheque", pt: "Cheque" },
  bank_transfer: { en: "Bank transfer", de: "Überweisung", fr: "Virement", es: "Transferencia", pt: "Transferência" },
  other: { en: "Other", de: "Andere", fr: "Autre", es: "Otro", pt: "Outra" },
};

/** A method in a language, with the end of the card's number; one that only the provider knows stays in its own words. */
export function methodIn(language: Language, method: string, hint: string | null): string {
  const name = METHODS[method]?.[language] ?? method.replaceAll("_", " ");
  return hint === null ? name : `${name} ···· ${hint}`;
}
