import classes from "./parts.module.css";

/** A heading, an aside, a body. No box: the space above it is what separates it. */
export function Section({
  title,
  aside,
  children,
}: {
  title: React.ReactNode;
  aside?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <section className={classes.section}>
      <header>
        <h2>{title}</h2>
        {aside && <div className={classes.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** An address that does not fit a line breaks before its @, not within a word. */
function breakable(fact: React.ReactNode): React.ReactNode {
  const parts = typeof fact === "string" ? /^(\S+)(@\S+)$/.exec(fact) : null;
  if (parts === null) return fact;
  return (
    <>
      {parts[1]}
      <span className={classes.domain}>{parts[2]}</span>
    </>
  );
}

/** Terms and what holds of them; a fact that is null is left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {rows
        .filter(([, fact]) => fact !== null && fact !== undefined)
        .map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{breakable(fact)}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Tag({ children }: { children: React.ReactNode }) {
  return <span className={classes.tag}>{children}</span>;
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={classes.tags}>
      {tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  );
}
