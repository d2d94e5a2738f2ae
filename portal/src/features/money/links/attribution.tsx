import { Code } from "../../../ui/code.tsx";
import { curl } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import type { AffiliateLink } from "./data.ts";
import classes from "./links.module.css";

const FIELD = `<input type="hidden" name="click_id">
<script>
  const click = new URLSearchParams(location.search).get("click_id");
  document.querySelector("[name=click_id]").value = click ?? "";
</script>`;

const LEAD = { name: "Ida Fern", email: "ida@fern.example", source: { kind: "affiliate", click_id: "clk_…" } };

/** Where a visitor arrives: the destination, with the click. */
export function arrival({ destination_url, campaign }: Pick<AffiliateLink, "destination_url" | "campaign">): string {
  const [page = "", ...fragment] = destination_url.split("#");
  const has = new URL(destination_url).searchParams.has("utm_campaign");
  const utm = campaign === null || has ? "" : `utm_campaign=${encodeURIComponent(campaign)}&`;
  return `${page}${page.includes("?") ? "&" : "?"}${utm}click_id=clk_…${fragment.length > 0 ? `#${fragment.join("#")}` : ""}`;
}

/** How what comes by this link is recognised, with what the landing page has to do. */
export function Attribution({ link }: { link: AffiliateLink }) {
  const window = link.window_days === 1 ? "a day" : `${link.window_days} days`;
  return (
    <Section title="How it is attributed">
      <ol className={classes.steps}>
        <li>
          <b>The visitor arrives with a click id.</b> The link leads on to its page and adds <code>click_id</code>, which is
          signed: it proves the link and the time, and says nothing about the visitor.
          <Code text={arrival(link)} label="The address of the page" />
        </li>
        <li>
          <b>The page keeps it,</b> for example in a hidden field of its form.
          <Code text={FIELD} label="The field of the form" />
        </li>
        <li>
          <b>You send it with the lead,</b> as <code>source.click_id</code>, or with a deal as <code>click_id</code>. The deal
          that the lead becomes, its sale and its commissions then belong to this link.
          <Code text={curl("POST /v1/leads", LEAD)} label="The lead by API" />
        </li>
      </ol>
      <p className={classes.small}>
        A click counts for {window}, and the last click before the lead counts. The link sets no cookie.
      </p>
    </Section>
  );
}
