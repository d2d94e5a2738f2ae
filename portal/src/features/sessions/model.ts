const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /Edg(e|A|iOS)?\//],
  ["Opera", /OPR\/|Opera/],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
  ["curl", /^curl\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X|Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux|X11/],
];

const first = (names: typeof BROWSERS, text: string) => names.find(([, pattern]) => pattern.test(text))?.[0];

/** "Firefox on Windows", as far as a browser tells. */
export function browserOf(agent: string): string {
  const browser = first(BROWSERS, agent) ?? "A program";
  const system = first(SYSTEMS, agent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
