/** The characters that every bank of SEPA accepts. */
const ALLOWED = /[A-Za-z0-9/\-?:().,'+ ]/;

/** Letters without a Latin base letter, and signs. Cyrillic as Bulgaria writes it, the country of SEPA that uses it most. */
const LETTERS = new Map(
  [
    "а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ sht ъ a ы y ь y э e ю yu я ya",
    "ё yo ѝ i є ye і i ї yi ґ g ў u ђ dj ј j љ lj њ nj ћ c џ dz ѓ gj ќ kj ѕ dz",
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o",
    "ß ss æ ae œ oe ø o đ d ð d þ th ł l ı i ŋ n ħ h ŧ t ə e",
    "& + _ - ~ - – - — - ‐ - ‑ - ‒ - ; , [ ( { ( ] ) } ) | / \\ / ` ' ’ ' ‘ ' ´ ' ʼ ' € E",
  ]
    .join(" ")
    .split(" ")
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, words[index + 1] ?? "."]);
      return pairs;
    }, []),
);

/**
 * A text in the character set of SEPA, at most as long as given: accents are dropped, Cyrillic and Greek are transliterated, anything
 * else is a full stop. It neither begins nor ends with a slash, and has no two in a row, which banks read as a code.
 */
export function sepaText(text: string, length_max: number): string {
  const plain = text
    .normalize("NFC")
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
  const letters = [...plain].map(latinOf).join("");
  const shouting = /\p{Lu}/u.test(plain) && !/\p{Ll}/u.test(plain);
  const tidy = (shouting ? letters.toUpperCase() : letters).replaceAll(/\/{2,}/g, "/").replaceAll(/ {2,}/g, " ");
  return tidy
    .replace(/^[/ ]+/, "")
    .slice(0, length_max)
    .replace(/[/ ]+$/, "");
}

/** A letter in Latin: a mapped one, else what is left without its accents. */
function latinOf(letter: string): string {
  if (ALLOWED.test(letter)) return letter;
  const lower = letter.toLowerCase();
  const mapped = LETTERS.get(lower);
  if (mapped !== undefined) return lower === letter ? mapped : mapped.charAt(0).toUpperCase() + mapped.slice(1);
  const base = letter.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return base === letter ? "." : [...base].map(latinOf).join("");
}
