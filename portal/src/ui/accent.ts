type Rgb = readonly [number, number, number];

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const text = (color: Rgb) => `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((part, index) => part + ((other[index] ?? 0) - part) * share) as unknown as Rgb;

/** Relative luminance, as WCAG defines it. */
function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(parse(a)), luminance(parse(b))].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The surface of a light page. */
export const PAPER = "#ffffff";
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const NIGHT: Rgb = parse("#111619");
const READABLE = 4.5;
/** Words that shine need more to be as clear. */
const READABLE_AT_NIGHT = 7;

/** The nearest colour towards `to` that can be read on `on`. */
function readable(color: Rgb, on: Rgb, to: Rgb, least: number): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(color, to, share);
    if (contrast(text(candidate), text(on)) >= least) return candidate;
  }
  return to;
}

/** The same hue at its brightest: mixed with white at once, a colour would turn grey. */
const vivid = (color: Rgb): Rgb => color.map((part) => (part * 255) / Math.max(1, ...color)) as unknown as Rgb;

/** The ink of a colour in a scheme. */
function inkOf(own: Rgb, scheme: "light" | "dark"): Rgb {
  if (scheme === "light") return readable(own, WHITE, BLACK, READABLE);
  return readable(readable(own, NIGHT, vivid(own), READABLE_AT_NIGHT), NIGHT, WHITE, READABLE_AT_NIGHT);
}

/** The tokens of a client's own colour, corrected so that words in it can be read in this scheme. */
export function accentOf(color: string, scheme: "light" | "dark"): Record<string, string> {
  const own = parse(color);
  const surface = scheme === "light" ? WHITE : NIGHT;
  const ink = inkOf(own, scheme);
  return {
    "--t-accent": text(ink),
    "--t-accent-fill": text(ink),
    "--t-accent-hover": text(mix(ink, scheme === "light" ? BLACK : WHITE, 0.14)),
    "--t-on-accent": text(contrast(text(ink), "#ffffff") >= READABLE ? WHITE : mix(own, BLACK, 0.9)),
    "--t-accent-mid": text(mix(ink, surface, 0.5)),
    "--t-accent-wash": text(mix(ink, surface, 0.88)),
  };
}
