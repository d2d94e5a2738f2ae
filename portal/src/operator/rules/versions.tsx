import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Rule, useRuleVersions } from "./data.ts";
import { conditionsText, termsText } from "./words.ts";

/** What the rule said before: each commission names the version that it was calculated by. */
export function Versions({ rule }: { rule: Rule }) {
  const { rows, loading, error, retry, more, loadMore } = useRuleVersions(rule.id);
  return (
    <Section title="Versions">
      {error && <Failure small title="The versions did not load" error={error} retry={retry} />}
      {loading && <Loading rows={3} />}
      <ol className={classes.versions}>
        {rows.map((version) => (
          <li key={version.version}>
            <b>{version.version}</b>
            <span>
              {version.active ? termsText(version) : "Switched off"}
              <span className="muted">
                {version.active && conditionsText(version) && <>, only {conditionsText(version)}</>}
                {version.active && version.applies_to === "all_charges" && ", for all charges"}
              </span>
            </span>
            <When at={version.created_at} as="day" muted />
          </li>
        ))}
      </ol>
      {more && (
        <button type="button" className="link" onClick={loadMore}>
          Older ones
        </button>
      )}
    </Section>
  );
}
