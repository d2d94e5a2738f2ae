import { ADMIN, BASE, type Json, type Reply, type TestPartner, type World } from "./world.ts";

/** A manifest with some tags. */
export const manifestWith = (...names: string[]) => ({
  format: 1,
  assets: names.map((name) => ({ type: "tag", key: name.toLowerCase(), spec: { name, description: null } })),
});

let made = 0;

/** The marketplace, as sellers, buyers and the operator use it. */
export function trading(world: World, operator: () => string) {
  const done = ({ status, text, body }: Reply, expected: number): Json => {
    if (status !== expected) throw new Error(text);
    return body;
  };
  const admin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    world.call(method, `${ADMIN}${path}`, { key: operator(), headers, ...(body === undefined ? {} : { body }) });
  const list = (seller: TestPartner, id: string, fields: object = {}) =>
    world.call("PUT", `${BASE}/snapshots/${id}/listing`, {
      key: seller.key,
      body: { visibility: "marketplace", price_cents: 19_900, currency: "usd", ...fields },
    });
  const approve = (id: string) => admin("POST", `/snapshots/${id}/approve`, undefined, { "if-match": "*" });

  const trade = {
    admin,
    list,
    approve,
    /** A published snapshot with one version. */
    async newSnapshot({ key }: TestPartner, ...names: string[]): Promise<string> {
      made += 1;
      const manifest = manifestWith(...(names.length === 0 ? ["Recall"] : names));
      const body = { name: `Treatments ${made}`, description: "Treatments and care", manifest };
      return done(await world.call("POST", `${BASE}/snapshots`, { key, body }), 201).id;
    },
    /** Adds a version. Gives its number. */
    async newVersion({ key }: TestPartner, id: string, changelog: string, ...names: string[]): Promise<number> {
      const body = { manifest: manifestWith(...names), changelog };
      return done(await world.call("POST", `${BASE}/snapshots/${id}/versions`, { key, body }), 201).version;
    },
    /** A snapshot that waits for review. */
    async newListing(seller: TestPartner, fields: object = {}): Promise<string> {
      const id = await trade.newSnapshot(seller);
      done(await list(seller, id, fields), 200);
      return id;
    },
    /** A snapshot that everybody can buy. */
    async newOffer(seller: TestPartner, fields: object = {}): Promise<string> {
      const id = await trade.newListing(seller, fields);
      done(await approve(id), 200);
      return id;
    },
    buy: ({ key }: TestPartner, id: string, body: object = {}) =>
      world.call("POST", `${BASE}/snapshots/${id}/purchases`, { key, body }),
    complete: (purchase_id: string) => admin("POST", `/purchases/${purchase_id}/complete`),
    cancel: (purchase_id: string) => admin("POST", `/purchases/${purchase_id}/cancel`),
  };
  return trade;
}
