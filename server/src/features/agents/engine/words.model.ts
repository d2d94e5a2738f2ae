/** The words of a text without case and accents. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** The words of a phrase; `*` stands for one word. */
export function phraseWords(phrase: string): string[] {
  return phrase.split(/\s+/).flatMap((part) => (part === "*" ? ["*"] : wordsOf(part)));
}

/** Whether a phrase occurs in some words. Its cost is the product of both lengths at most, whatever the phrase. */
export function occursIn(phrase: string, words: readonly string[]): boolean {
  const wanted = phraseWords(phrase);
  return words.some((_, start) => wanted.every((word, index) => matches(word, words[start + index])));
}

const matches = (wanted: string, word: string | undefined) => word !== undefined && (wanted === "*" || wanted === word);
