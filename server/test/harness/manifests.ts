import type { Json } from "./world.ts";

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
