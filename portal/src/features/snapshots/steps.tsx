import { Hand, Minus, Pencil, Plus, RotateCcw } from "lucide-react";
import type { DiffStep, PlanStep } from "./data.ts";
import classes from "./snapshots.module.css";
import { ACTIONS, pathText, typeName, valueText } from "./words.tsx";

const ICONS = { create: Plus, update: Pencil, remove: Minus, revive: RotateCcw, adopt: Hand, keep: Hand } as const;

/** What is done to an asset, by the name that people know; its key stands beside it. */
function Head({ step: { action, type, key, name } }: { step: Pick<PlanStep, "action" | "type" | "key" | "name"> }) {
  const Icon = ICONS[action];
  return (
    <p className={classes.stepHead}>
      <Icon size={14} aria-hidden />
      <span className="muted">{ACTIONS[action]}</span> <b>{name ?? key}</b> <span className="muted">{typeName(type)}</span>{" "}
      {name && <code className="muted">{key}</code>}
    </p>
  );
}

/** What a value becomes; what is struck out and becomes nothing is removed. */
const newText = (value: unknown) => (value === null ? "removed" : valueText(value));

/** What differs between two versions. */
export function DiffSteps({ steps }: { steps: readonly DiffStep[] }) {
  if (steps.length === 0) return <p className="muted">Nothing differs.</p>;
  return (
    <ul className={classes.steps}>
      {steps.map((step) => (
        <li key={`${step.type}/${step.key}`} data-action={step.action}>
          <Head step={step} />
          {step.action === "update" && (
            <dl className={classes.fields}>
              {step.fields.map(({ path, from, to }) => (
                <div key={path}>
                  <dt>{pathText(path)}</dt>
                  <dd>
                    {from !== null && <del>{valueText(from)}</del>} <ins>{newText(to)}</ins>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What a plan does to a client, asset by asset; where both sides changed something, they stand side by side. */
export function PlanSteps({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ul className={classes.steps}>
      {steps.map((step) => (
        <li key={`${step.type}/${step.key}`} data-action={step.action} data-conflict={step.conflicts.length > 0 || undefined}>
          <Head step={step} />
          {step.conflicts.map(({ code, path, detail }) => (
            <p key={`${code} ${path}`} className={classes.conflict}>
              {detail}
            </p>
          ))}
          {step.action !== "create" && step.fields.length > 0 && (
            <dl className={classes.fields}>
              {step.fields.map((field) => (
                <div key={field.path} data-conflict={step.conflicts.some(({ path }) => path === field.path) || undefined}>
                  <dt>{pathText(field.path)}</dt>
                  <dd>
                    <Sides field={field} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The client's value, the snapshot's, and which of them stays. */
function Sides({ field: { client, snapshot, result } }: { field: PlanStep["fields"][number] }) {
  const [here, there, after] = [client, snapshot, result].map(valueText);
  if (after === there && here !== there) {
    return (
      <>
        {client !== null && <del>{here}</del>} <ins>{newText(snapshot)}</ins>
      </>
    );
  }
  return (
    <>
      <ins>{here}</ins> <span className="muted">stays; the snapshot has {there}</span>
    </>
  );
}
