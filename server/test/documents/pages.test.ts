import { afterEach, expect, test } from "vitest";
import { cleanUp } from "../postgres/processes.ts";
import { type Block, blocksOf, openReader, type Reader } from "./shell-page.ts";

let reader: Reader;

afterEach(async () => {
  await reader.close();
  await cleanUp();
});

/** Runs the blocks one after the other as a reader would, and holds each against what the page shows of it. */
async function follow(blocks: Block[]): Promise<void> {
  for (const block of blocks) {
    const { code, output } = await reader.run(block);
    expect(code, `${block.text}\n${output}`).toBe(0);
    for (const shown of block.shown) expect(output, block.text).toContain(shown);
  }
}

test("the tour can be followed from its first command to its last, and shows what it says", async () => {
  reader = await openReader();
  const blocks = blocksOf("docs/tour.md");
  expect(blocks.length).toBeGreaterThan(10);
  await follow(blocks);
});

/** The suite does not run itself, and the bench has a test of its own. */
const NOT_RUN = /\bnpm (test|run)\b|SEED=none/;

test("every command of the README works as it stands", async () => {
  // The tour has shown a first start.
  reader = await openReader({ started: true });
  const blocks = blocksOf("README.md").filter(({ text }) => !NOT_RUN.test(text));
  expect(blocks.length).toBeGreaterThan(7);
  await follow(blocks.map((block) => ({ ...block, text: once(block.text) })));
});

/** What goes on until it is stopped is asked to end by itself. */
function once(text: string): string {
  // curl ends a stream with 28 when its time is over.
  return text.replaceAll(/(events tail .*)$/gm, "$1 --once").replaceAll(/^(curl -N .*)$/gm, "$1 --max-time 1 || [ $? = 28 ]");
}

const PREPARATION = `
API_KEY=$(node -p "JSON.parse(fs.readFileSync('data/first-run.json')).api_key")
OPERATOR_KEY=$(node -p "JSON.parse(fs.readFileSync('data/first-run.json')).operator_key")
make() { curl -s http://127.0.0.1:8080/v1/$1 -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -d "$2" | node -p "JSON.parse(fs.readFileSync(0)).id"; }
KEY_ID=$(make partners/keys '{"name": "Guide", "scopes": ["clients:read"], "clients": "all"}')
ENDPOINT_ID=$(make partners/webhooks '{"url": "http://127.0.0.1:3000/"}')
LEAD_ID=$(make leads '{"name": "Guide"}')
DEAL_ID=$(make deals '{"company": "Guided Tours", "stage": "Qualified"}')
CURSOR=$(curl -s "http://127.0.0.1:8080/v1/changes?after=end" -H "Authorization: Bearer $API_KEY" | node -p "JSON.parse(fs.readFileSync(0)).next_cursor")
SNAPSHOT_ID=$(make partners/snapshots '{"name": "Guide", "manifest": {"format": 1, "assets": []}}')
PARTNER_ID=$(node -p "JSON.parse(fs.readFileSync('data/first-run.json')).partner_id")
first() { curl -s "http://127.0.0.1:8080/v1/$1" -H "Authorization: Bearer $2" | node -p "JSON.parse(fs.readFileSync(0)).data[0].id"; }
CLIENT_ID=$(first "partners/clients?q=Harbour" $API_KEY)
CHARGE_ID=$(first "admin/charges?client_id=$CLIENT_ID" $OPERATOR_KEY)
COMMISSION_ID=$(first "partners/deals/commissions?status=pending" $API_KEY)
RUN_ID=$(first admin/payout-runs $OPERATOR_KEY)
PAYOUT_ID=$(first "admin/payouts?status=paid" $OPERATOR_KEY)
OFFER_ID=$(first "partners/marketplace?q=yoga" $API_KEY)
PURCHASE_ID=$(first "admin/purchases?status=due" $OPERATOR_KEY)
LINK_ID=$(first "partners/affiliate-links" $API_KEY)
`;

/** What stands for the reader's own in a guide. */
const PLACES: Record<string, string> = {
  "{base_url}": "http://127.0.0.1:8080",
  "key_01…": "$KEY_ID",
  "whe_01…": "$ENDPOINT_ID",
  "lead_01…": "$LEAD_ID",
  "deal_01…": "$DEAL_ID",
  '"cli_01…"': `"'$CLIENT_ID'"`,
  "cli_01…": "$CLIENT_ID",
  "chr_01…": "$CHARGE_ID",
  "com_01…": "$COMMISSION_ID",
  '"pay_01…"': `"'$PAYOUT_ID'"`,
  "pay_01…": "$PAYOUT_ID",
  "prn_01…": "$RUN_ID",
  '"snap_01…"': `"'$SNAPSHOT_ID'"`,
  "snap_01…": "$SNAPSHOT_ID",
  "snap_02…": "$OFFER_ID",
  "pur_01…": "$PURCHASE_ID",
  "lnk_01…": "$LINK_ID",
  "ptr_01…": "$PARTNER_ID",
  "trb_…": "$API_KEY",
  "webhooks listen": "webhooks listen --once",
};

test("every call in the guides is answered, with the reader's own key and ids in place", async () => {
  reader = await openReader({ started: true });
  await follow([
    { text: "npm start", shown: [], starts: true },
    { text: PREPARATION, shown: [], starts: false },
  ]);
  const blocks = [
    "docs/affiliate-links.md",
    "docs/agents.md",
    "docs/api.md",
    "docs/billing.md",
    "docs/commissions.md",
    "docs/conversations.md",
    "docs/crm.md",
    "docs/mcp.md",
    "docs/operator-api.md",
    "docs/payouts.md",
    "docs/programme.md",
    "docs/snapshots.md",
    "docs/webhooks.md",
  ].flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(7);
  for (const block of blocks) {
    const text = Object.entries(PLACES).reduce((so_far, [place, value]) => so_far.replaceAll(place, value), once(block.text));
    const { code, output } = await reader.run({ ...block, text });
    expect(code, `${text}\n${output}`).toBe(0);
    expect(output, text).not.toContain("/docs/errors/");
  }
});
