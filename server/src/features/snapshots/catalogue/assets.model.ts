import type { Asset } from "../../accounts/configuring/index.ts";
import { customFieldAsset } from "../../accounts/custom-fields/index.ts";
import { pipelineAsset } from "../../accounts/pipelines/index.ts";
import { tagAsset } from "../../accounts/tags/index.ts";
import { messageTemplateAsset } from "../../accounts/templates/index.ts";
import { savedViewAsset } from "../../accounts/views/index.ts";
import { agentAsset } from "../../agents/definitions/index.ts";
import { knowledgeSourceAsset } from "../../agents/knowledge/index.ts";
import { leadScoringAsset } from "../../crm/leads/index.ts";
import { channelAsset } from "../../inbox/channels/index.ts";

/** What snapshots carry, in the order in which it is applied: no type refers to one after it. */
export const ASSETS: readonly Asset[] = [
  customFieldAsset,
  tagAsset,
  messageTemplateAsset,
  pipelineAsset,
  leadScoringAsset,
  savedViewAsset,
  channelAsset,
  knowledgeSourceAsset,
  agentAsset,
];

const BY_TYPE = new Map(ASSETS.map((asset) => [asset.type, asset]));

/** The asset of a type that a manifest may have. */
export function assetOf(type: string): Asset {
  const asset = BY_TYPE.get(type);
  if (asset === undefined) throw new Error(`no assets of type ${type}`);
  return asset;
}
