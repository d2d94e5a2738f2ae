import { hash, timingSafeEqual } from "node:crypto";
import { matchingStep, randomBase32 } from "../../../../platform/crypto/totp.ts";

const RECOVERY_CODES = 10;
const GROUPS = 4;

/** The purpose under which the secret of a user is sealed. */
export const secretPurpose = (user_id: string) => `second factor ${user_id}`;

/** Ten codes for a lost phone, of 80 random bits each, in groups that can be copied by hand. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () => randomBase32(4).toLowerCase()).join("-"),
  );
}

/** The stored hash. A slow hash would add nothing to 80 bits of entropy. */
export function hashRecoveryCode(user_id: string, code: string): Buffer {
  return hash("sha256", `${user_id} ${plain(code)}`, "buffer");
}

/** A code as it was typed, without what only makes it readable. */
function plain(code: string): string {
  return code.replaceAll(/[ -]/g, "").toLowerCase();
}

export type Factor = { secret: string; last_step: number; recovery_codes: readonly Buffer[] };

/** The factor after a code was used: each step and each recovery code counts once. Null if the code is not valid. */
export function afterUse(user_id: string, factor: Factor, code: string, now: Date): Factor | null {
  const step = matchingStep(factor.secret, plain(code), { now, last_step: factor.last_step });
  if (step !== null) return { ...factor, last_step: step };
  const given = hashRecoveryCode(user_id, code);
  const recovery_codes = factor.recovery_codes.filter((stored) => !timingSafeEqual(stored, given));
  return recovery_codes.length === factor.recovery_codes.length ? null : { ...factor, recovery_codes };
}
