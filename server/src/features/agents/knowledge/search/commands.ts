import type { TenantScope } from "../../../../kernel/principal.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import type { Answer, Hit, Request } from "../../engine/index.ts";
import { quoteOf } from "../model.ts";
import { type Found, searches, type Where } from "./queries.ts";

const LIMIT = 5;
const WORDS_MAX = 40;
/** Short words of Latin letters are similar to anything; elsewhere one or two letters are a word. */
const NOT_LATIN = /[^\p{Script=Latin}\p{N}]/u;

/**
 * What the sources of an account say about a question, the best first: passages with all its words, else with some, else with similar
 * ones. What was found is data: it decides nothing.
 */
export async function searchKnowledge(
  db: Queryable,
  scope: Pick<TenantScope, "partner_id">,
  where: Where,
  question: string,
  limit = LIMIT,
): Promise<Hit[]> {
  // A hyphen before a word would ask for passages without it, which nobody means who writes to an agent.
  const query = question.replaceAll("\0", "").replaceAll(/(^|\s)-+/g, "$1 ");
  const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  let found = await searches.all(db, scope, where, query);
  if (found.length === 0) found = await searches.any(db, scope, where, words.join(" or "), words);
  const telling = words.filter((word) => word.length > 3 || NOT_LATIN.test(word)).join(" ");
  if (found.length === 0 && telling !== "") found = await searches.similar(db, scope, where, telling);
  return found.slice(0, limit).map((one) => hitOf(one, question));
}

function hitOf({ source_id, title, url, chunk, text, score }: Found, question: string): Hit {
  return { source_id, title, url, chunk, quote: quoteOf(text, question), score: Math.round(Math.min(score, 1) * 1_000) / 1_000 };
}

/** Answers the tool search_knowledge. */
export async function answerSearch(
  db: Queryable,
  scope: Pick<TenantScope, "partner_id">,
  where: Where,
  { args }: Request,
): Promise<Answer> {
  const limit = typeof args.limit === "number" ? args.limit : LIMIT;
  return { ok: true, value: await searchKnowledge(db, scope, where, String(args.query), limit) };
}
