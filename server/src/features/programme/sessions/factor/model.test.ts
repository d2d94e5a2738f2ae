import { describe, expect, test } from "vitest";
import { totpCode, totpStep } from "../../../../platform/crypto/totp.ts";
import { afterUse, hashRecoveryCode, newRecoveryCodes } from "./model.ts";

test("the code of an app counts once, and leaves the recovery codes as they are", () => {
  const now = new Date("2026-11-02T09:30:00Z");
  const factor = { secret: "JBSWY3DPEHPK3PXP", last_step: 0, recovery_codes: [hashRecoveryCode("usr_1", "abcd")] };
  const code = totpCode(factor.secret, totpStep(now));
  const after = afterUse("usr_1", factor, `${code.slice(0, 3)} ${code.slice(3)}`, now);
  expect(after).toEqual({ ...factor, last_step: totpStep(now) });
  expect(after && afterUse("usr_1", after, code, now)).toBeNull();
});

describe("recovery codes", () => {
  const codes = newRecoveryCodes();
  const factor = {
    secret: "JBSWY3DPEHPK3PXP",
    last_step: 0,
    recovery_codes: codes.map((code) => hashRecoveryCode("usr_1", code)),
  };
  const now = new Date("2026-11-02T09:30:00Z");
  const [first = ""] = codes;

  test("are ten, each another one, in four groups that can be copied by hand", () => {
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  });

  test("count once, however they are written", () => {
    for (const typed of [first, first.toUpperCase(), first.replaceAll("-", ""), first.replaceAll("-", " ")]) {
      const after = afterUse("usr_1", factor, typed, now);
      expect(after).toEqual({ ...factor, recovery_codes: factor.recovery_codes.slice(1) });
      expect(after && afterUse("usr_1", after, typed, now)).toBeNull();
    }
  });

  test("are those of one user, and no others", () => {
    expect(afterUse("usr_2", factor, first, now)).toBeNull();
    expect(
      afterUse(
        "usr_1",
        factor,
        first.replace(/^./, (letter) => (letter === "a" ? "b" : "a")),
        now,
      ),
    ).toBeNull();
    expect(afterUse("usr_1", factor, "", now)).toBeNull();
  });
});
