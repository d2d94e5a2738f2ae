import { fail } from "../../../kernel/errors.ts";

const LENGTH_MIN = 10;
const LENGTH_MAX = 200;
/** So few different characters are a key held down, or two keys in turn. */
const DIFFERENT_MIN = 4;

/** What is guessed first, among what is long enough. */
const COMMONEST = new Set(
  `0123456789 1234567890 12345678910 123456789a 0987654321 9876543210 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5 qwertyuiop
  qwertyuiop123 qwerty12345 qwerty123456 qwerty1234 asdfghjkl1 asdfghjkl123 zxcvbnm123 abcdefghij abcdefghijk abcd1234567 abc1234567
  password10 password11 password12 password123 password1234 password12345 password123456 password01 passw0rd123 p@ssw0rd123 p@ssword123
  mypassword newpassword passwordpassword thepassword iloveyou123 iloveyou12 iloveyou1234 welcome123 welcome1234 welcome2024 welcome2025
  welcome2026 letmein123 letmein1234 changeme123 changeme1234 changeme12 administrator administrator1 admin12345 admin123456 admin123456789
  superadmin rootroot123 football123 baseball123 princess123 sunshine123 superman123 dragon12345 monkey12345 charlie123 michael123 jennifer123
  liverpool1 manchester trustno1234 whatever123 starwars123 pokemon123 hello12345 hello123456 test123456 testtest123 secret1234 secret12345
  correcthorsebatterystaple`.split(/\s+/),
);

/** Why a text cannot be the password of the user with this address, null if it can. */
export function passwordFault(password: string, email: string): string | null {
  const text = password.normalize("NFKC");
  const length = [...text].length;
  const plain = text.trim().toLowerCase();
  const [account] = email.toLowerCase().split("@");
  if (length < LENGTH_MIN) return `A password has at least ${LENGTH_MIN} characters.`;
  if (length > LENGTH_MAX) return `A password has at most ${LENGTH_MAX} characters.`;
  if (plain === email.toLowerCase() || plain === account) return "The own e-mail address is the first thing that others try.";
  if (COMMONEST.has(plain) || new Set(plain).size < DIFFERENT_MIN) return "This password is among the first that others try.";
  return null;
}

/** Refuses a password that is too easy to guess. */
export function requireGoodPassword(password: string, email: string): void {
  const detail = passwordFault(password, email);
  if (detail === null) return;
  fail("validation_failed", { faults: [{ in: "body", pointer: "#/password", code: "weak_password", detail }] });
}
