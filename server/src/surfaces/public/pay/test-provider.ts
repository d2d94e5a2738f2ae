import type { TestSession } from "../../../features/billing/providers/index.ts";
import { html } from "./html.ts";
import type { Page } from "./layout.ts";

/** The cards that the test provider knows, and what each does. */
const CARDS: readonly [number: string, effect: string][] = [
  ["4242 4242 4242 4242", "is paid"],
  ["4000 0000 0000 0002", "is declined"],
  ["4000 0000 0000 3220", "needs an extra step"],
  ["4000 0000 0000 0077", "is paid after a few seconds"],
  ["4000 0000 0000 0341", "is declined after a few seconds"],
  ["4000 0000 0000 0259", "is paid, then disputed"],
];

/** The page of the test provider, for those who try the product: in English, as the pages of a provider are its own. */
export function testProviderPage(session: TestSession, amount: string, back: string, unknown: boolean): Page {
  const title = "Test payment";
  const head = html`<h1>${title}</h1><p class="notice">This is the page of the test provider. No money moves.</p><p class="amount">${amount}</p>`;
  if (session.state === "confirming")
    return {
      title,
      of_provider: true,
      body: html`${head}<p>The bank asks for a confirmation.</p>
<form method="post"><button name="confirm" value="yes">Approve</button><button name="confirm" value="no" class="second">Decline</button></form>`,
    };
  if (session.dispute === "open")
    return {
      title,
      of_provider: true,
      body: html`${head}<p>The payment has arrived. The payer disputes it, and the bank decides.</p>
<form method="post"><button name="dispute" value="won">The seller wins</button><button name="dispute" value="lost" class="second">The payer wins</button></form>
<a class="button second" href="${back}">Decide later</a>`,
    };
  return {
    title,
    of_provider: true,
    body: html`${head}
${unknown && html`<div class="error" role="alert"><h2>This is no test card</h2><p>Use one of the numbers below. Never enter a real card here.</p></div>`}
<form method="post"><label for="card">Card number</label>
<input id="card" name="card" type="text" inputmode="numeric" autocomplete="off" value="4242 4242 4242 4242" maxlength="23" required>
<button type="submit">Pay ${amount}</button></form>
<h2>Test cards</h2><table><tbody>${CARDS.map(([number, effect]) => html`<tr><td class="whole">${number}</td><td>${effect}</td></tr>`)}</tbody></table>`,
  };
}
