/** Currencies whose minor unit is not a hundredth, by ISO 4217. Browsers know how prices are usually shown, which is less for some. */
const NONE = "bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf".split(" ");
const THREE = "bhd iqd jod kwd lyd omr tnd".split(" ");

/** How many decimal places the minor unit of a currency is: 2 of usd, 0 of jpy. */
export function minorDigits(currency: string): number {
  if (NONE.includes(currency)) return 0;
  return THREE.includes(currency) ? 3 : 2;
}
