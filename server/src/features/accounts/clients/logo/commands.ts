import { fail, notFound } from "../../../../kernel/errors.ts";
import { imageHeaders } from "../../../../platform/net/image-type.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { logoOrNull } from "./queries.ts";

/** The logo of an account through our own origin: its server does not learn who looks, and pages need not let in images of others. */
export async function showLogo(ctx: Context, id: string) {
  const { logo_url } = (await logoOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  const image = logo_url === null ? "The branding has no logo." : await ctx.outbound.image(logo_url);
  if (typeof image === "string") return fail("logo_unavailable", { detail: image });
  return {
    headers: imageHeaders(image),
    async *pieces() {
      yield image.bytes;
    },
  };
}
