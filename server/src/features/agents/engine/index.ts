export {
  addUsage,
  type ChatMessage,
  FAILURES,
  type Failure,
  type Model,
  type ModelAsk,
  type ModelCall,
  type ModelReply,
  NO_USAGE,
  type ToolSchema,
  type Usage,
} from "./chat.model.ts";
export { playbookFaults } from "./check.model.ts";
export { type Content, type Driven, drive, MAX_TOKENS } from "./drive.model.ts";
export { QUALIFY_LEADS } from "./example.demo.ts";
export { feature } from "./feature.ts";
export {
  type Answer,
  type Called,
  ENGINES,
  type Ending,
  type Hit,
  type Memory,
  NO_MEMORY,
  OPERATORS,
  type Outcome,
  type Playbook,
  type Request,
  SLOT_TYPES,
  type Turn,
  type Write,
} from "./model.ts";
export { type Change, newDealId, newLeadId, newLinkId, newLinkUrl, pretend, subjectOf, type World } from "./overlay.model.ts";
export { isApprovable, TOOLS } from "./tools.model.ts";
export { occursIn, wordsOf } from "./words.model.ts";
