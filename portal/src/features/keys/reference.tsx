import { Button } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { useMay } from "../../api/session.ts";
import { Code } from "../../ui/code.tsx";
import { Link } from "../../ui/link.tsx";
import { Content, curl, Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "./keys.module.css";

const PAGES = [
  [
    "/docs",
    "Reference",
    "Every route with its fields, errors and examples, and a playground that sends real requests, as you or with a key",
  ],
  ["/docs/guides/tour", "Tour", "Ten minutes with curl, from the first key to a webhook"],
  ["/docs/guides", "Guides", "Authentication, lists, events, webhooks, imports, step by step"],
  ["/openapi.json", "OpenAPI document", "For generators of clients and tests"],
] as const;

/** Where the API is described, and in whose name its playground calls it. */
export default function Reference() {
  const may = useMay();
  return (
    <Page
      title="Reference"
      trail={[["Developers", "/developers/events"]]}
      actions={
        <Button component="a" href="/docs" target="_blank" rel="noreferrer" leftSection={<ExternalLink />}>
          Open the reference
        </Button>
      }
      phoneAction={
        <Button component="a" href="/docs" target="_blank" rel="noreferrer" variant="subtle">
          Open
        </Button>
      }
      api="GET /v1/partners/me"
    >
      <Content>
        <Section title="Read">
          <ul className={classes.docs}>
            {PAGES.map(([href, name, what]) => (
              <li key={href}>
                <a href={href} target="_blank" rel="noreferrer">
                  <b>{name}</b>
                  <span className="muted">{what}</span>
                  <ExternalLink size={14} aria-hidden />
                </a>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Try it">
          <ul className={classes.steps}>
            <li>
              <b>As you.</b> “Test Request” in the reference sends what you try with your sign-in to the portal: no key is needed,
              your role decides what you may, and what you change is real.
            </li>
            <li>
              <b>With a key.</b> Choose the server “With an API key” there, and paste the key under Authentication. It stays in
              that tab, and is forgotten when the tab closes.{" "}
              {may("keys:write") ? (
                <>
                  <Link to="/settings/api?new=yes" className="link">
                    Create a key
                  </Link>{" "}
                  for it: “Read everything” is enough for most, and 30 days are long.
                </>
              ) : (
                "An owner or administrator of your company can give you one."
              )}
            </li>
          </ul>
        </Section>
        <Section title="The first call">
          <Code text={curl("GET /v1/partners/me")} label="The first call" />
        </Section>
      </Content>
    </Page>
  );
}
