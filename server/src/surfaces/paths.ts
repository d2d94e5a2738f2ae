import { createSuggestPath } from "../platform/http/near-miss.ts";
import { adminV1 } from "./admin-v1.ts";
import { generalV1 } from "./general-v1.ts";
import { partnerV1 } from "./partner-v1.ts";

const PAGES = ["/docs", "/docs/errors", "/docs/guides", "/openapi.json", "/llms.txt", "/healthz", "/readyz", "/metrics"];

/** Near misses over all APIs and pages. */
export const suggestPath = createSuggestPath([partnerV1, generalV1, adminV1], PAGES);
