import { Button } from "@mantine/core";
import { useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, newAction, Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { termsText } from "../rules/words.ts";
import { type Tier, useDeleteTier, useTiers } from "./data.ts";
import { TierForm } from "./form.tsx";
import classes from "./tiers.module.css";
import { benefitsOf, requirementText } from "./words.ts";

export default function Ladder() {
  const [url, setUrl] = useUrl();
  const { data, error, refetch } = useTiers();
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ open: undefined, new: undefined });
  const opened = data?.find(({ grade }) => grade === url.open);
  return (
    <Page title="Tiers" api="GET /v1/admin/tiers" {...newAction("New tier", create)}>
      <Content>
        {error && <Failure title="The tiers did not load" error={error} retry={refetch} />}
        {data === undefined ? (
          !error && <Loading />
        ) : (
          <Shown tiers={data} open={(grade) => setUrl({ open: grade, new: undefined }, true)} />
        )}
      </Content>
      {url.new === "yes" && <TierForm tier={null} close={close} />}
      {opened && (
        <TierForm
          key={`${opened.grade} ${opened.version}`}
          tier={opened}
          close={close}
          actions={<Delete tier={opened} done={close} />}
        />
      )}
    </Page>
  );
}

function Shown({ tiers, open }: { tiers: readonly Tier[]; open(grade: string): void }) {
  const [first, last] = [tiers[0], tiers.at(-1)];
  return (
    <>
      <Answer sub="The highest tier whose requirements a partner meets is its own. Promotion is immediate; demotion waits for the days of grace.">
        <b>{tiers.length} tiers</b>, from {first?.name} to {last?.name}
      </Answer>
      <ol className={classes.ladder}>
        {tiers.toReversed().map((tier) => (
          <Rung key={tier.grade} tier={tier} open={() => open(tier.grade)} />
        ))}
      </ol>
    </>
  );
}

function Rung({ tier, open }: { tier: Tier; open(): void }) {
  const benefits = benefitsOf(tier);
  return (
    <li>
      <div className={classes.name}>
        <b>{tier.name}</b>
        <Link className="link" to={`/partners?grade=${tier.grade}`}>
          Its partners
        </Link>
      </div>
      <dl>
        <div>
          <dt>Needs</dt>
          <dd>
            {tier.requirements.length === 0 ? (
              <span className="muted">nothing, everybody begins here</span>
            ) : (
              tier.requirements.map((requirement) => <span key={requirement.metric}>{requirementText(requirement)}</span>)
            )}
          </dd>
        </div>
        <div>
          <dt>Earns</dt>
          <dd>
            {tier.rate === null ? (
              <span className="muted">what the programme's rule says</span>
            ) : (
              <span>{termsText(tier.rate)}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>Has</dt>
          <dd>
            {benefits.length === 0 ? (
              <span className="muted">what the programme gives to all</span>
            ) : (
              benefits.map((benefit) => <span key={benefit}>{benefit}</span>)
            )}
          </dd>
        </div>
      </dl>
      <Button variant="default" size="xs" aria-label={`Edit ${tier.name}`} onClick={open}>
        Edit
      </Button>
    </li>
  );
}

function Delete({ tier, done }: { tier: Tier; done(): void }) {
  const [asks, setAsks] = useState(false);
  const remove = useDeleteTier();
  return (
    <>
      <Button size="xs" variant="danger" onClick={() => setAsks(true)}>
        Delete…
      </Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Delete ${tier.name}?`}
        action="Delete"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(tier);
          toast(`${tier.name} is deleted`);
          done();
        }}
      >
        <p>Nobody can reach it any more. It is refused as long as a partner has it, or a rule or a certification names it.</p>
      </Confirm>
    </>
  );
}
