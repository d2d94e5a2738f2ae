import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSealer } from "../../../platform/crypto/seal.ts";
import { checkConfig, openSecrets, sealSecrets, secretsAfter } from "./model.ts";

const refusing = (pointer: string, code: string) => ({ code: "validation_failed", explanation: { faults: [{ pointer, code }] } });

describe("the configuration of a provider", () => {
  test("has what its kind knows, and nothing else", async () => {
    await checkConfig("stripe", {}, { egress: "strict" });
    await checkConfig("test", {}, { egress: "strict" });
    await expect(checkConfig("stripe", { colour: "red" }, { egress: "strict" })).rejects.toMatchObject({
      code: "validation_failed",
    });
    await expect(checkConfig("stripe", { base_url: 7 }, { egress: "development" })).rejects.toMatchObject({
      explanation: { faults: [{ pointer: "#/config/base_url" }] },
    });
  });

  test("has another address in development only", async () => {
    await checkConfig("stripe", { base_url: "http://localhost:1" }, { egress: "development" });
    const refused = refusing("#/config/base_url", "development_only");
    await expect(checkConfig("stripe", { base_url: "http://localhost:1" }, { egress: "strict" })).rejects.toMatchObject(refused);
    await expect(checkConfig("stripe", { base_url: "no address" }, { egress: "development" })).rejects.toMatchObject(refused);
  });
});

describe("the secrets of a provider", () => {
  const SECRETS = { secret_key: "sk_test_1234567890", webhook_secret: "whsec_1234567890" };

  test("are those from before and those of the patch", async () => {
    expect(await secretsAfter("stripe", SECRETS, { webhook_secret: "whsec_0987654321" })).toEqual({
      ...SECRETS,
      webhook_secret: "whsec_0987654321",
    });
  });

  test("are removed by null, where the kind can be without", async () => {
    expect(await secretsAfter("test", { old: "1" }, { old: null })).toEqual({});
    await expect(secretsAfter("stripe", SECRETS, { secret_key: null })).rejects.toMatchObject({
      explanation: { faults: [{ pointer: "#/secrets/secret_key" }] },
    });
  });

  test("are refused of a kind that has none", async () => {
    expect(await secretsAfter("manual", {}, {})).toEqual({});
    await expect(secretsAfter("manual", {}, { key: "1" })).rejects.toMatchObject(refusing("#/secrets", "no_secrets"));
  });

  test("are read again as they were, of the same provider and under the same key", () => {
    const [sealer, other] = [0, 1].map(() => createSealer(randomBytes(32).toString("base64")));
    if (sealer === undefined || other === undefined) throw new Error("no sealers");
    const sealed = sealSecrets(sealer, "ppr_1", SECRETS);
    expect(sealed?.includes("sk_test")).toBe(false);
    expect(openSecrets(sealer, "ppr_1", sealed)).toEqual(SECRETS);
    expect(openSecrets(sealer, "ppr_2", sealed)).toEqual({});
    expect(openSecrets(other, "ppr_1", sealed)).toEqual({});
  });

  test("are not stored where there are none", () => {
    const sealer = createSealer(randomBytes(32).toString("base64"));
    expect(sealSecrets(sealer, "ppr_1", {})).toBeNull();
    expect(openSecrets(sealer, "ppr_1", null)).toEqual({});
  });
});
