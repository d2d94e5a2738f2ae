import { expect } from "vitest";
import { BASE, type Json, type TestPartner, type World } from "./world.ts";

type Stage = { key: string; name: string; type: string; [member: string]: unknown };

/** A pipeline of a manifest, with the stages that every one needs. */
export function pipelineAsset(key: string, name: string, more: Json = {}): Json {
  const stages: Stage[] = [
    { key: "new", name: "New", type: "open" },
    { key: "won", name: "Won", type: "won" },
    { key: "lost", name: "Lost", type: "lost" },
  ];
  return { type: "pipeline", key, spec: { name, stages, ...more } };
}

export function fieldAsset(key: string, label: string, more: Json = {}): Json {
  return { type: "custom_field", key, spec: { label, type: "text", ...more } };
}

export const manifestOf = (...assets: Json[]) => ({ format: 1, assets });

export const SALES = pipelineAsset("sales", "Sales");
let made = 0;

type Options = { key?: string; body?: unknown; headers?: Record<string, string> };

/** Calls below /snapshots, and snapshots with content, published unless the body says otherwise. */
export function catalogueOf(world: World, partner: () => TestPartner) {
  const call = (method: string, path: string, options: Options = {}) =>
    world.call(method, `${BASE}/snapshots${path}`, { key: partner().key, ...options });
  return {
    call,
    async create(body: Json = {}, who = partner()): Promise<Json> {
      const content = "source_client_id" in body ? {} : { manifest: manifestOf(SALES) };
      const reply = await call("POST", "", { key: who.key, body: { name: `Snapshot ${++made}`, ...content, ...body } });
      expect([reply.status, reply.text]).toEqual([201, reply.text]);
      return reply.body;
    },
  };
}
