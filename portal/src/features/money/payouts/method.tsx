import { Button } from "@mantine/core";
import { useMay, useSession } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { amountsText, gains } from "../../../ui/money.tsx";
import { Content, Page } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { When } from "../../../ui/when.tsx";
import { useUsers } from "../../users/data.ts";
import { METHOD_REQUEST, type Method, useMethod, useUpcoming } from "./data.ts";
import { MethodForm } from "./method-form.tsx";
import { MethodRules, RemoveMethod } from "./method-parts.tsx";
import classes from "./payouts.module.css";
import { METHODS } from "./words.tsx";

/** Where am I paid, and who can change it? */
export default function PayoutMethodPage() {
  const { data, error, refetch } = useMethod();
  return (
    <Page
      title="Payout method"
      trail={[["Settings", "/settings/company"]]}
      api={METHOD_REQUEST}
      foot="The account number is never shown again"
    >
      {data !== undefined ? (
        <Shown method={data} />
      ) : error ? (
        <Failure title="The payout method did not load" error={error} retry={refetch} />
      ) : (
        <Content>
          <Loading />
        </Content>
      )}
    </Page>
  );
}

function Shown({ method }: { method: Method | null }) {
  const [url, setUrl] = useUrl();
  const { user } = useSession();
  const owner = user.role === "owner";
  const edits = owner && url.edit === "yes";
  const close = () => setUrl({ edit: undefined });
  return (
    <Content>
      <Headline method={method} />
      <div className={classes.columns}>
        <div className={classes.column}>
          {edits ? (
            <MethodForm method={method} close={close} />
          ) : (
            <>
              {method !== null && (
                <Section title="Now">
                  <Facts rows={factsOf(method)} />
                </Section>
              )}
              {owner ? (
                <div className={classes.acts}>
                  <Button onClick={() => setUrl({ edit: "yes" }, true)}>
                    {method === null ? "Add payout method" : "Change payout method"}
                  </Button>
                  {method !== null && <RemoveMethod method={method} />}
                </div>
              ) : (
                <Owners />
              )}
            </>
          )}
        </div>
        <MethodRules />
      </div>
    </Content>
  );
}

function Headline({ method }: { method: Method | null }) {
  const { data: upcoming = [] } = useUpcoming();
  const left = gains(
    upcoming
      .filter(({ currency }) => !method?.currencies.includes(currency))
      .map(({ payable_cents, currency }) => ({ amount_cents: payable_cents, currency })),
  );
  const sub =
    left.length > 0 ? `${amountsText(left)} cannot be paid ${method === null ? "until there is one" : "this way"}.` : null;
  if (method === null) return <Answer sub={sub}>You have no payout method yet</Answer>;
  return (
    <Answer sub={sub}>
      You are paid{" "}
      {method.kind === "sepa" ? (
        <>
          to <b>{method.hint}</b>
        </>
      ) : (
        <>
          by <b>manual transfer</b>
        </>
      )}{" "}
      in {method.currencies.map((currency) => currency.toUpperCase()).join(", ")}
    </Answer>
  );
}

const factsOf = ({ kind, holder, hint, currencies, created_at }: Method) =>
  [
    ["Kind", METHODS[kind]],
    ["Holder", holder],
    ["Account", kind === "sepa" ? hint : "As in your instructions, which only the operator's files contain"],
    ["Currencies", currencies.map((currency) => currency.toUpperCase()).join(", ")],
    ["Set", <When key="set" at={created_at} as="day" />],
  ] as const;

/** Who can change it, for those who cannot. */
function Owners() {
  const may = useMay();
  const { rows } = useUsers(may("account:read"));
  const owners = rows.filter(({ role, state }) => role === "owner" && state === "active").map(({ name }) => name);
  return (
    <p className="muted">
      Only an owner of your company can change it
      {owners.length > 0 && `: ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(owners)}`}.
    </p>
  );
}
