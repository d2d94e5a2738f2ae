import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { type ManifestAsset, type Snapshot, useContent } from "./data.ts";
import classes from "./snapshots.module.css";
import { typeName, valueText } from "./words.tsx";

/** What the latest version brings, type by type. */
export function Contents({ snapshot: { id, latest_version } }: { snapshot: Snapshot }) {
  const { data, error, refetch } = useContent(id, latest_version);
  if (latest_version === null) return <p className="muted">Publish a version, and its contents stand here.</p>;
  if (error) return <Failure small title="The contents did not load" error={error} retry={refetch} />;
  if (data === undefined) return <Loading rows={4} />;
  return <Assets assets={data.manifest.assets} />;
}

/** The assets of a manifest, type by type: a line each, or with all that they say. */
export function Assets({ assets: all, whole = false }: { assets: readonly ManifestAsset[]; whole?: boolean }) {
  return [...Map.groupBy(all, ({ type }) => type)].map(([type, assets]) => (
    <Section key={type} title={capital(typeName(type, true))} aside={type === "lead_scoring" ? undefined : assets.length}>
      <ul className={classes.assets} data-whole={whole || undefined}>
        {assets.map((asset) => (
          <li key={asset.key}>
            <b>{valueText(asset.spec.name ?? asset.spec.label ?? asset.key)}</b>
            <code>{asset.key}</code>
            <span className={whole ? "muted" : "muted cut"}>{noteOf(asset)}</span>
          </li>
        ))}
      </ul>
    </Section>
  ));
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The one thing that tells an asset from others of its type. */
function noteOf({ type, spec }: ManifestAsset): string {
  const { stages, rules, options, text, description, query } = spec;
  if (type === "pipeline" && Array.isArray(stages)) return stages.map(valueText).join(" → ");
  if (type === "lead_scoring" && Array.isArray(rules)) return rules.map(valueText).join(", ");
  if (type === "custom_field")
    return [spec.type, ...(Array.isArray(options) && options.length > 0 ? [options.map(valueText).join(", ")] : [])].join(": ");
  return valueText(text ?? description ?? query ?? "").replace(/^(empty|nothing)$/, "");
}
