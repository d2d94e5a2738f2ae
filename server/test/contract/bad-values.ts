import type { Json } from "../harness/world.ts";

/** JSON that no member of any body takes, whatever its type. Written out, because some of it no value stands for. */
export const WRONG_VALUES = [
  "[[]]",
  "12.5",
  "-1",
  "1e400",
  "-1e400",
  "9007199254740992",
  "123456789012345678901234567890",
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  `"${"x".repeat(20_000)}"`,
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"\\u0000":"x"}',
  '{"unknown":{"deeper":[1]}}',
];

/** Bodies that no operation takes. */
export const BAD_BODIES: Record<string, string | Buffer> = {
  "no JSON": "{",
  "two values": "{}{}",
  "a number": "7",
  "a text": '"text"',
  "a list": "[]",
  null: "null",
  NaN: "NaN",
  "a comment": "{/**/}",
  "a byte order mark": "\uFEFF{}",
  "10,000 lists deep": "[".repeat(10_000) + "]".repeat(10_000),
  "10,000 objects deep": `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  "deeper than it is closed": '{"a":'.repeat(5_000),
  "bytes that are no UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  "an overlong NUL": Buffer.from([0x22, 0xc0, 0x80, 0x22]),
  "a surrogate in UTF-8": Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  "a raw NUL": "\0",
  "more than the limit": JSON.stringify({ company: "x".repeat(300 * 1024) }),
  "40,000 numbers": JSON.stringify({ scopes: Array.from({ length: 40_000 }, (_, index) => index) }),
  "thousands of unknown fields": JSON.stringify(
    Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`f${index}`, 1])),
  ),
};

/** A body once for each of its members and each wrong value, as text; and with a member that does not belong. */
export function* spoilt(body: Json): Generator<[what: string, text: string]> {
  for (const path of memberPaths(body)) {
    const wrong = isTimeExample(at(body, path)) ? [...WRONG_VALUES, ...BAD_TIMES.map((time) => `"${time}"`)] : WRONG_VALUES;
    for (const value of wrong) yield [`${path.join(".")} = ${value.slice(0, 40)}`, withMember(body, path, value)];
  }
  for (const path of [[], ...memberPaths(body).filter((path) => isObject(at(body, path)) && path.at(-1) !== "metadata")]) {
    yield [`${path.join(".")} with an unknown member`, withMember(body, [...path, "unknown"], "1")];
  }
  for (const path of [[], ...memberPaths(body).filter((path) => isObject(at(body, path)))]) {
    for (const name of ["__proto__", "constructor", "prototype", "\0", "\ud800"]) {
      yield [`${path.join(".")} with ${JSON.stringify(name)}`, withMember(body, [...path, name], '"x"')];
    }
  }
}

/** Cursors that no list gave: unreadable, of another list, or with a position that no database takes. */
export const BAD_CURSORS = [
  "",
  "x",
  "%00",
  "%FF%FE",
  "%F0%9F%98%80",
  "x".repeat(999),
  "x".repeat(5_000),
  ...[
    "null",
    "7",
    "{}",
    "[]",
    "[null]",
    '["wrong"]',
    '["wrong","cli_1"]',
    '["wrong","a\\u0000b"]',
    '["wrong",1e400]',
    `${"[".repeat(300)}${"]".repeat(300)}`,
  ].map((json) => Buffer.from(json).toString("base64url")),
];

/** Cursors that belong to the very list, with positions of a wrong kind. */
export function forgedCursors(identity: string, right: readonly (string | number)[]): string[] {
  const positions = [
    [],
    ["a\0b"],
    ["\ud800"],
    [null],
    [true],
    [{}],
    [["cli_1"]],
    [1.5],
    [2 ** 53],
    [-(2 ** 53)],
    [1e300],
    [...right, "2"],
    [...right, 2],
    right.map((value) => (typeof value === "number" ? "1" : 1)),
  ];
  return positions.map((position) => Buffer.from(JSON.stringify([identity, ...position])).toString("base64url"));
}

/** Path segments that are no id. Some are no path either. */
export const BAD_SEGMENTS = [
  "x",
  "%00",
  "cli_%00",
  "cli_01m6dsg7e0e33b43b3qbb9y87%00",
  "%zz",
  "%",
  "%c3%28",
  "%ed%a0%80",
  "..%2f..%2fkeys",
  "%2e%2e%2e",
  "CLI_01M6DSG7E0E33B43B3QBB9Y877",
  "cli_81m6dsg7e0e33b43b3qbb9y877",
  "cli_01m6dsg7e0e33b43b3qbb9y877%0a",
  "cli_01m6dsg7e0e33b43b3qbb9y877x",
  "ptr_01m6dsg7e0e33b43b3qbb9y877",
  "%F0%9F%98%80",
  "__proto__",
  "constructor",
  "null",
  "-1",
  "1e400",
  "a".repeat(201),
  "a".repeat(10_000),
  "%41".repeat(3_000),
  "'%20or%201=1%20--",
];

/** Query strings that no operation takes. */
export const BAD_QUERIES = [
  "unknown=1",
  "%00=1",
  "%zz=%zz",
  "__proto__=1",
  "__proto__[x]=1",
  "constructor=1",
  "toString=1",
  "limit[]=1",
  "limit[gt]=1",
  "=",
  `${"x".repeat(5_000)}=1`,
  Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join("&"),
];

/** Values that no declared parameter takes, whatever its type. */
export const BAD_PARAMETERS = ["%00", "a%00b", "%FF", "%ED%A0%80", "", "%zz", "[object Object]", "{}", "-1", "x".repeat(5_000)];

/** Values that not even a parameter of free text takes. */
export const BAD_TEXTS = ["%00", "a%00b", "", "x".repeat(5_000)];

/** Times that JavaScript reads, and PostgreSQL does not or cannot keep. */
export const BAD_TIMES = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "2026-11-02T09:30:00+23:59",
  "2026-11-02T09:30:00-16:00",
  "2026-02-30T00:00:00Z",
  "infinity",
  "now",
];

/** Texts that JavaScript reads as numbers, and others, that are none to us. */
export const BAD_NUMBERS = ["1e400", "-1e400", "Infinity", "-Infinity", "NaN", "1.5", "9007199254740993", "1e3", "%D9%A3", "1,0"];

function isTimeExample(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(body: Json, path: string[]): Json {
  return path.reduce((value, name) => value[name], body);
}

function memberPaths(body: Json, base: string[] = []): string[][] {
  return Object.keys(body).flatMap((name) => {
    const path = [...base, name];
    return isObject(body[name]) ? [path, ...memberPaths(body[name], path)] : [path];
  });
}

/** The JSON of a body with one member set to JSON text. */
function withMember(body: Json, path: string[], text: string): string {
  const [name = "", ...rest] = path;
  const others = Object.entries(body).filter(([other]) => other !== name);
  const inner = rest.length === 0 ? text : withMember(body[name], rest, text);
  return `{${[...others.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`), `${JSON.stringify(name)}:${inner}`].join(",")}}`;
}
