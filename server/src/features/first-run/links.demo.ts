/** The links of the demo partner: when each was made, and how many clicks it has on an average day. */
export const DEMO_LINKS = {
  blog: { code: "northwind-blog", campaign: "Partner blog", days_ago: 70, per_day: 5, referrer_host: "blog.northwind.example" },
  letter: { code: "autumn-letter", campaign: "Autumn newsletter", days_ago: 62, per_day: 9, referrer_host: "mail.example" },
  podcast: { code: "podcast-ad", campaign: "Podcast", days_ago: 30, per_day: 2, referrer_host: null },
} as const;
export type DemoLink = keyof typeof DEMO_LINKS;

export const DEMO_DESTINATION = "https://tributary.example/pricing";

/** A link that was paused since. */
export const DEMO_PAUSED = { link: "podcast", days_ago: 8 } as const;

/** What came by a link: the sale of a client, an open sale, and leads of this kind. */
export const DEMO_BY_LINK: Readonly<Record<string, DemoLink>> = {
  "Quill Bookkeeping": "letter",
  "Foxglove Florists": "letter",
  affiliate: "blog",
};

const BROWSERS = ["Firefox", "Chrome", "Safari", "Mobile Safari"];
const VISITORS = 23;
const ONE_BOT_OF = 9;

export type DemoClick = { days_ago: number; ip: string; agent: string; bot: "agent" | null };

/** The clicks of a link, more on some days than on others, and fewer since it was paused. */
export function demoClicks({ days_ago, per_day }: (typeof DEMO_LINKS)[DemoLink], until_days_ago: number): DemoClick[] {
  return Array.from({ length: days_ago - until_days_ago }, (_, index) => until_days_ago + index).flatMap((day) => {
    const count = per_day + ((day * 5 + per_day) % 7) - 3;
    return Array.from({ length: Math.max(count, 0) }, (_, number) => ({
      days_ago: day + ((number * 37 + day * 11) % 90) / 100,
      ip: `192.0.2.${1 + ((number * number + day) % VISITORS)}`,
      agent: BROWSERS[((number * number + day) % VISITORS) % BROWSERS.length] ?? "",
      bot: (number + day) % ONE_BOT_OF === 0 ? ("agent" as const) : null,
    }));
  });
}
