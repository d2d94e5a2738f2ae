import { BASE, type Json, type TestPartner, type World } from "./world.ts";

/** A browser that is nobody's bot. */
export const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export type Visited = {
  status: number;
  location: string;
  click_id: string | null;
  headers: Record<string, string>;
  text: string;
};

/** Affiliate links, as partners make them and visitors follow them. */
export function linksOf(world: World) {
  async function visit(path: string, headers: Record<string, string> = {}, method = "GET", ip = "203.0.113.7"): Promise<Visited> {
    const reply = await world.app.http.inject({
      method: method as "GET",
      url: path,
      headers: { "user-agent": BROWSER, ...headers },
      remoteAddress: ip,
    });
    const location = String(reply.headers.location ?? "");
    const click_id = URL.canParse(location) ? new URL(location).searchParams.get("click_id") : null;
    return { status: reply.statusCode, location, click_id, headers: reply.headers as Record<string, string>, text: reply.body };
  }
  return {
    visit,
    create: (partner: TestPartner, body: object) => world.call("POST", `${BASE}/affiliate-links`, { key: partner.key, body }),
    /** A link made through the API. */
    async newLink(partner: TestPartner, fields: object = {}): Promise<Json> {
      const body = { destination_url: "https://shop.example/pricing", ...fields };
      const { status, body: link, text } = await world.call("POST", `${BASE}/affiliate-links`, { key: partner.key, body });
      if (status !== 201) throw new Error(text);
      return link;
    },
    /** A click on a link: what the visitor carries to the destination. */
    async click({ code }: { code: string }): Promise<string> {
      const { click_id, text } = await visit(`/r/${code}`);
      return click_id ?? Promise.reject(new Error(`no click: ${text}`));
    },
    /** The statistics of a link, once all clicks are stored. */
    async stats({ key }: TestPartner, { id }: { id: string }, query = ""): Promise<Json> {
      await world.app.clicks.flush();
      return (await world.call("GET", `${BASE}/affiliate-links/${id}/stats${query}`, { key })).body;
    },
  };
}
