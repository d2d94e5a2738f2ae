import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify from "fastify";

let loading: Promise<Buffer> | null = null;

/**
 * Scalar's script, compressed. It is four megabytes inside a Fastify plugin, so it is loaded when the first reader comes
 * and not at the start; the plugin is asked for it on an application of its own, because ours has its own pages.
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
