import type { Feature } from "../../../platform/feature.ts";
import { conversationJobs } from "./jobs.ts";
import { conversationRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "inbox/conversations",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "accounts/templates",
    "outbox/changes",
    "crm/contacts",
    "crm/leads",
    "inbox/channels",
  ],
  reads: ["accounts/clients", "accounts/pipelines", "crm/contacts", "crm/deals", "crm/leads", "inbox/channels"],
  tags: {
    conversations: "What an account and its people write to each other, on all channels",
    messages: "Single messages, and what became of them",
    attachments: "The files of messages",
  },
  general_routes: conversationRoutes,
  jobs: conversationJobs,
};
