import { fail, notFound } from "../../../../kernel/errors.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { equal } from "../../../accounts/configuring/index.ts";
import { changeAgent, getAgent, lockedAgent } from "../commands.ts";
import { diffValues, VERSIONS_MAX } from "../model.ts";
import type { Agent } from "../queries.ts";
import { markPublished, replaceContent, type Version, versionOrNull, versionsPage } from "./queries.ts";
import type { DiffQuery, Publication, Rollback, VersionCreate, VersionListQuery } from "./schema.ts";
import { contentHash, storableContent, storeVersion } from "./store.commands.ts";

export async function listVersions(ctx: Context, id: string, query: VersionListQuery): Promise<{ json: string }> {
  await getAgent(ctx, id);
  return versionsPage(ctx.db, ctx.scope, id, query);
}

export async function getVersion(ctx: Context, id: string, number: number): Promise<{ json: string }> {
  await getAgent(ctx, id);
  const { json } = (await versionOrNull(ctx.db.byKey, ctx.scope, id, number)) ?? notFound(`Version ${number} of ${id}`);
  return { json };
}

/** Adds a version, a draft until it is published. */
export function createVersion(
  ctx: Context,
  id: string,
  { content, note = null }: VersionCreate,
): Promise<{ json: string; id: string }> {
  return ctx.tx(async (tx) => {
    const agent = await lockedAgent(ctx, tx, id);
    const number = agent.latest_version + 1;
    if (number > VERSIONS_MAX) fail("validation_failed", { detail: `An agent has at most ${VERSIONS_MAX} versions.` });
    const storable = await storableContent(ctx, tx, agent, content, agent.latest_version);
    const { json } = await storeVersion(ctx, tx, id, number, storable, note);
    await changeAgent(ctx, tx, agent, { ...agent, latest_version: number }, "agents.create_version");
    return { json, id: String(number) };
  });
}

/** Replaces the content of a draft. What was once published stays as it is. */
export function replaceVersion(
  ctx: Context,
  id: string,
  number: number,
  { content, note }: VersionCreate,
): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const agent = await lockedAgent({ ...ctx, expected_version: null }, tx, id);
    const before = (await versionOrNull(tx, ctx.scope, id, number)) ?? notFound(`Version ${number} of ${id}`);
    const storable = await storableContent(ctx, tx, agent, content, number);
    const sha256 = contentHash(storable.content);
    const after = { agent_id: id, number, ...storable, sha256, note: note === undefined ? before.note : note };
    const saved = (await replaceContent(tx, ctx.scope, after)) ?? refusePublished(number);
    const changes = { version: { from: number, to: number }, sha256: { from: before.sha256, to: sha256 } };
    record(tx, ctx.scope, [], { action: "agents.replace_version", target: id, client_id: agent.account_id, changes });
    return { json: saved.json };
  });
}

function refusePublished(number: number): never {
  const detail = `Version ${number} was published: its content never changes. Add another version.`;
  fail("invalid_state_transition", { detail, meta: { from: "published", allowed: [] } });
}

/** Publishes a version: sessions that begin from now on follow it. */
export async function publishVersion(ctx: Context, id: string, publication: Publication): Promise<Agent> {
  const { version, note = null, require_suite = false } = publication;
  if (require_suite) await ctx.replayed();
  const tested = require_suite ? await ctx.hooks.passSuite(ctx, id, version) : null;
  return publish(ctx, id, version, note, "agents.publish", ({ sha256 }) => {
    if (tested !== null && sha256 !== tested)
      fail("suite_failed", { detail: `Version ${version} was changed after its tests ran.` });
  });
}

/** Publishes a version again that was published before. */
export function rollBack(ctx: Context, id: string, { version }: Rollback): Promise<Agent> {
  return publish(ctx, id, version, null, "agents.rollback", ({ published_at }) => {
    if (published_at !== null) return;
    const detail = `Version ${version} was never published: publish it instead.`;
    fail("invalid_state_transition", { detail, meta: { from: "draft", allowed: [] } });
  });
}

function publish(
  ctx: Context,
  id: string,
  number: number,
  note: string | null,
  action: string,
  check: (version: Version) => void = () => undefined,
): Promise<Agent> {
  return ctx.tx(async (tx) => {
    const before = await lockedAgent(ctx, tx, id);
    const version = (await versionOrNull(tx, ctx.scope, id, number)) ?? refuseUnknown(number);
    check(version);
    await markPublished(tx, ctx.scope, id, number, actorOf(ctx.principal).id, note);
    const status = before.status === "draft" ? "active" : before.status;
    return changeAgent(ctx, tx, before, { ...before, published_version: number, status }, action);
  });
}

function refuseUnknown(number: number): never {
  const detail = `The agent has no version ${number}.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/version", code: "unknown_version", detail }] });
}

/** What changes from one version to another, by default to the newest from the published one. */
export async function diffVersions(ctx: Context, id: string, query: DiffQuery): Promise<{ json: string }> {
  const { latest_version, published_version } = await getAgent(ctx, id);
  const to = query.to ?? latest_version;
  const from = query.from ?? (published_version === to ? to - 1 : (published_version ?? to - 1));
  const read = async (number: number) =>
    number === 0 ? {} : ((await versionOrNull(ctx.db, ctx.scope, id, number)) ?? notFound(`Version ${number} of ${id}`)).content;
  const changes = diffValues(await read(from), await read(to), equal);
  return { json: JSON.stringify({ agent_id: id, from, to, changes }) };
}
