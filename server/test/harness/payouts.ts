import { workExport } from "../../src/features/money/payouts/export.commands.ts";
import { payoutJobs } from "../../src/features/money/payouts/jobs.ts";
import { workRun } from "../../src/features/money/payouts/run.commands.ts";
import type { earning } from "./earning.ts";
import { BASE, type Json, type TestPartner, type World } from "./world.ts";

/** Payouts, as an operator and its partners use them. */
export function paying(world: World, { admin }: ReturnType<typeof earning>) {
  const never = new AbortController().signal;
  const failed = (error: unknown) => {
    throw error;
  };
  /** Works off everything that is to be done. */
  const work = async (): Promise<void> => {
    while (await workRun(world.app.services, never, failed));
    while (await workExport(world.app.services, never));
  };
  return {
    work,
    /** Gives a partner a payout method, as the operator can. */
    async setMethod({ partner_id }: TestPartner, method: object = {}): Promise<void> {
      const body = { kind: "manual", holder: "Ada Okafor", instructions: "Cheque", currencies: ["usd", "eur"], ...method };
      const { status, text } = await admin("PUT", `/partners/${partner_id}/payout-method`, body);
      if (status !== 200 && status !== 201) throw new Error(text);
    },
    /** Adds to the balance of a partner; approved at once. */
    async earn({ partner_id }: TestPartner, amount_cents: number, fields: Record<string, unknown> = {}): Promise<Json> {
      world.clock.advance(1);
      const reference = `adj_${world.clock.now().getTime()}`;
      const body = { amount_cents, currency: "usd", reason_code: "bonus", reference, ...fields };
      const reply = await admin("POST", `/partners/${partner_id}/adjustments`, body);
      if (reply.status !== 201) throw new Error(reply.text);
      return reply.body;
    },
    /** Starts a run, and works it off. */
    async run(body: object = {}): Promise<Json> {
      world.clock.advance(1);
      const started = await admin("POST", "/payout-runs", body);
      if (started.status !== 202) throw new Error(started.text);
      await work();
      return (await admin("GET", `/payout-runs/${started.body.id}`)).body;
    },
    /** Makes a file of a run, and gives it with its text. */
    async export(run_id: string, body: object = { format: "csv" }): Promise<{ export: Json; text: string }> {
      const started = await admin("POST", `/payout-runs/${run_id}/export`, body);
      if (started.status !== 202) throw new Error(started.text);
      await work();
      const { body: made } = await admin("GET", `/payout-exports/${started.body.id}`);
      return { export: made, text: (await admin("GET", `/payout-exports/${started.body.id}/file`)).text };
    },
    /** The payouts of a partner, oldest first. */
    async payouts({ key }: TestPartner): Promise<Json[]> {
      return (await world.call("GET", `${BASE}/payouts?limit=100`, { key })).body.data.toReversed();
    },
    async upcoming({ key }: TestPartner): Promise<Json[]> {
      return (await world.call("GET", `${BASE}/payouts/upcoming`, { key })).body.data;
    },
    act: (
      id: string,
      verb: "paid" | "failed" | "retry" | "cancel",
      body?: object,
      headers: Record<string, string> = { "if-match": "*" },
    ) => admin("POST", `/payouts/${id}/${verb}`, body, headers),
    /** Runs the job that starts scheduled runs. */
    async schedule(): Promise<string> {
      const { db } = world.app.services;
      const [job] = payoutJobs(world.app.services);
      if (job === undefined) throw new Error("there is no job");
      return job.run({ db, owner: db, clock: world.clock });
    },
  };
}
