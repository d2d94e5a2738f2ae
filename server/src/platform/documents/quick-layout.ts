import type { Font, Glyph, GlyphPosition } from "fontkit";

/** Scripts whose letters stand beside each other as they are: Latin, Greek, Cyrillic, figures and signs. */
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u02af\u0370-\u0482\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2212]*$/;
/** Texts of other scripts that are remembered: a page has fewer, and measures and draws each several times. */
const REMEMBERED_MAX = 500;

type Shaped = { glyphs: Glyph[]; positions: GlyphPosition[] };

/** A font that also tells the width of a text, as a part of its size. */
export type LayoutFont = Font & { isPlain(text: string): boolean; widthOf(text: string): number };

/** Glyphs in a row. The caller scales the positions, so each call gets its own, and the width is that after scaling. */
class Run implements Shaped {
  glyphs: Glyph[];
  positions: GlyphPosition[];

  constructor({ glyphs, positions }: Shaped) {
    this.glyphs = glyphs;
    this.positions = positions.map((position) => ({ ...position }));
  }

  get advanceWidth(): number {
    return widthOf(this.positions);
  }
}

const widthOf = (positions: GlyphPosition[]) => positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);

/**
 * A font whose layout is quick where it is simple. The layout engine looks for ligatures, marks and kerning in every word, which takes a
 * millisecond for a row of a table; of plain text only the advance of each letter is needed.
 */
export function withQuickLayout(font: Font, kerned: boolean): LayoutFont {
  const letters = new Map<string, Glyph>();
  const remembered = new Map<string, Shaped>();

  function glyphOf(letter: string): Glyph {
    const known = letters.get(letter);
    if (known !== undefined) return known;
    const code = letter.codePointAt(0) ?? 0;
    // Letters of several scripts share a shape, which the font names by the first that it met: text that is copied must be this one's.
    const glyph = Object.assign(Object.create(font.glyphForCodePoint(code)) as Glyph, { codePoints: [code] });
    letters.set(letter, glyph);
    return glyph;
  }

  function besideEachOther(text: string): Shaped {
    const glyphs = [...text].map(glyphOf);
    const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs, positions };
  }

  function shaped(text: string): Shaped {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const run = font.layout(text);
    remembered.set(text, run);
    return run;
  }

  const isPlain = (text: string) => !kerned && PLAIN.test(text);

  return Object.assign(Object.create(font), {
    isPlain,
    layout: (text: string) => new Run(isPlain(text) ? besideEachOther(text) : shaped(text)),
    widthOf(text: string): number {
      let units = 0;
      if (isPlain(text)) for (const letter of text) units += glyphOf(letter).advanceWidth;
      else units = widthOf(shaped(text).positions);
      return units / font.unitsPerEm;
    },
  }) as LayoutFont;
}
