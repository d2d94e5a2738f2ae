import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify from "fastify";

let loading: Promise<Buffer> | null = null;

/**
 * Scalar's script, compressed. It is four megabytes inside a Fastify plugin, so it is loaded on the first request, from
 * the plugin on a separate Fastify instance, because our pages differ from the plugin's.
 */
export function scalarScript(): Promise<Buffer> {
  loading ??= loadScript();
  return loading;
}

async function loadScript(): Promise<Buffer> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const app = Fastify();
  await app.register(plugin, { routePrefix: "/reference", configuration: { url: "/openapi.json" } });
  const { rawPayload } = await app.inject("/reference/js/scalar.js");
  await app.close();
  return promisify(gzip)(rawPayload);
}
