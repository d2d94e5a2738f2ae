import type { Account } from "../crm/records/data.ts";
import type { Agent } from "./data.ts";
import type { Draft } from "./editor/draft.ts";

/** What each tab of an agent is given. */
export type PartProps = { account: Account; agent: Agent; draft: Draft; writes: boolean };
