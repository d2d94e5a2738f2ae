import { fail } from "../../../../kernel/errors.ts";
import { OPERATOR_TENANT } from "../../../../kernel/principal.ts";
import type { Sealer } from "../../../../platform/crypto/seal.ts";
import { matchingStep, newTotpSecret, totpUri } from "../../../../platform/crypto/totp.ts";
import type { PersonContext } from "../../../../platform/http/route.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { programmeName, userOfAddressOrNull } from "../../users/index.ts";
import { sessionOrNull } from "../queries.ts";
import { afterUse, hashRecoveryCode, newRecoveryCodes, secretPurpose } from "./model.ts";
import { deleteFactor, factorForUpdateOrNull, saveFactor, savePending } from "./queries.ts";

/** Begins to set up an authenticator app: it counts once its first code was confirmed. */
export async function startTotp(ctx: PersonContext): Promise<{ json: string }> {
  const { user_id, session_id } = ctx.principal;
  const secret = newTotpSecret();
  return ctx.tx(async (tx) => {
    const { email } = (await sessionOrNull(tx, session_id)) ?? fail("session_expired");
    if (!(await savePending(tx, user_id, ctx.sealer.seal(secret, secretPurpose(user_id))))) {
      fail("resource_in_use", { detail: "An authenticator app is set up already. Remove it first." });
    }
    record(tx, ctx.scope, [], { action: "totp.create", target: user_id, client_id: null });
    const uri = totpUri(secret, { issuer: programmeName(ctx.settings), account: email });
    return { json: JSON.stringify({ secret, uri }) };
  });
}

/** Activates the second factor with the first code of the app, and gives the recovery codes. Sessions go on. */
export function activateTotp(ctx: PersonContext, code: string): Promise<{ json: string }> {
  const { user_id } = ctx.principal;
  return ctx.tx(async (tx) => {
    const factor = await factorForUpdateOrNull(tx, user_id);
    if (factor === null || factor.active) {
      fail("resource_in_use", { detail: "No authenticator app is being set up. Begin with POST /portal/api/totp." });
    }
    const secret = ctx.sealer.open(factor.secret, secretPurpose(user_id));
    const step = matchingStep(secret, code.replaceAll(" ", ""), { now: tx.now, last_step: 0 }) ?? fail("invalid_code");
    record(tx, ctx.scope, [], { action: "totp.activate", target: user_id, client_id: null });
    return giveRecoveryCodes(tx, user_id, step);
  });
}

/** Replaces the recovery codes: those from before are no longer valid. */
export function renewRecoveryCodes(ctx: PersonContext): Promise<{ json: string }> {
  const { user_id } = ctx.principal;
  return ctx.tx(async (tx) => {
    const factor = await factorForUpdateOrNull(tx, user_id);
    if (factor?.active !== true) failWithoutFactor();
    record(tx, ctx.scope, [], { action: "totp.recovery_codes", target: user_id, client_id: null });
    return giveRecoveryCodes(tx, user_id, factor.last_step);
  });
}

async function giveRecoveryCodes(tx: Tx, user_id: string, last_step: number): Promise<{ json: string }> {
  const codes = newRecoveryCodes();
  await saveFactor(tx, user_id, { last_step, recovery_codes: codes.map((code) => hashRecoveryCode(user_id, code)) });
  return { json: JSON.stringify({ recovery_codes: codes }) };
}

export function removeTotp(ctx: PersonContext): Promise<void> {
  const { user_id } = ctx.principal;
  return ctx.tx(async (tx) => {
    if (!(await deleteFactor(tx, user_id))) failWithoutFactor();
    record(tx, ctx.scope, [], { action: "totp.delete", target: user_id, client_id: null });
  });
}

/** Removes the second factor of a user who lost the phone and the recovery codes, for the command line. False if there is none. */
export function resetTotp(ctx: Context, email: string): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const user = (await userOfAddressOrNull(tx, email)) ?? fail("not_found", { detail: `No user has the address ${email}.` });
    if (!(await deleteFactor(tx, user.id))) return false;
    const whose = { partner_id: user.partner_id ?? OPERATOR_TENANT };
    record(tx, whose, [], { action: "totp.reset", target: user.id, client_id: null });
    return true;
  });
}

function failWithoutFactor(): never {
  fail("not_found", { detail: "No authenticator app is set up." });
}

export type FactorRefusal = "code_required" | "invalid_code";

/** Checks the code of a user who has a second factor, and uses it up. Null if the user may go on. */
export async function useCode(tx: Tx, sealer: Sealer, user_id: string, code: string | undefined): Promise<FactorRefusal | null> {
  const factor = await factorForUpdateOrNull(tx, user_id);
  if (factor?.active !== true) return null;
  if (code === undefined) return "code_required";
  const secret = sealer.open(factor.secret, secretPurpose(user_id));
  const used = afterUse(user_id, { ...factor, secret }, code, tx.now);
  if (used === null) return "invalid_code";
  await saveFactor(tx, user_id, used);
  return null;
}
