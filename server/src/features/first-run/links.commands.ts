import { newId } from "../../kernel/ids.ts";
import type { Context } from "../../platform/record/context.ts";
import { clickToken, createLink, type NotedClick, recordClicks, updateLink } from "../money/links/index.ts";
import { daysBefore, type Step } from "./demo.ts";
import { DEMO_BY_LINK, DEMO_DESTINATION, DEMO_LINKS, DEMO_PAUSED, type DemoLink, demoClicks } from "./links.demo.ts";

/** How long before a lead or a deal the visitor clicked. */
const CLICKED_DAYS_BEFORE = 0.02;

export type DemoLinks = {
  steps: Step[];
  /** The click by which a record came, for those that came by a link. */
  clickOf(ctx: Context, name: string): { click_id?: string };
};

/** The links of the demo partner, with their clicks over some weeks. */
export function demoLinks(): DemoLinks {
  const ids = new Map<DemoLink, string>();
  const clicks: NotedClick[] = [];
  const names = Object.keys(DEMO_LINKS) as DemoLink[];

  function note(ctx: Context, name: DemoLink, days_ago: number, who: Pick<NotedClick, "ip" | "agent" | "bot">): string {
    const id = newId("click", daysBefore(ctx.clock.now(), days_ago).getTime());
    const { referrer_host } = DEMO_LINKS[name];
    clicks.push({ id, partner_id: ctx.scope.partner_id, link_id: ids.get(name) ?? "", referrer_host, ...who });
    return id;
  }

  const created = names.map(
    (name): Step => ({
      days_ago: DEMO_LINKS[name].days_ago,
      async act(ctx) {
        const { code, campaign } = DEMO_LINKS[name];
        ids.set(name, (await createLink(ctx, { code, campaign, destination_url: DEMO_DESTINATION })).id);
      },
    }),
  );
  const paused: Step = {
    days_ago: DEMO_PAUSED.days_ago,
    act: (ctx) => updateLink(ctx, ids.get(DEMO_PAUSED.link) ?? "", { status: "paused" }),
  };
  const clicked: Step = {
    days_ago: 0,
    act(ctx) {
      for (const name of names) {
        const until = name === DEMO_PAUSED.link ? DEMO_PAUSED.days_ago : 0;
        for (const { days_ago, ...who } of demoClicks(DEMO_LINKS[name], until)) note(ctx, name, days_ago, who);
      }
      return recordClicks(ctx, clicks);
    },
  };
  return {
    steps: [...created, paused, clicked],
    clickOf(ctx, record) {
      const name = DEMO_BY_LINK[record];
      if (name === undefined) return {};
      const id = note(ctx, name, CLICKED_DAYS_BEFORE, { ip: "192.0.2.200", agent: record, bot: null });
      return { click_id: clickToken(ctx.signer, id, DEMO_LINKS[name].code) };
    },
  };
}
