import type { FastifyInstance } from "fastify";

/** How much a provider sends at once. */
export const RAW_BYTES_MAX = 1024 * 1024;

/** Routes of an instance of their own that take bodies of any type, as bytes. */
export function withRawBodies(app: FastifyInstance, mount: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: RAW_BYTES_MAX },
      async (_request: unknown, body: Buffer) => body,
    );
    mount(scope);
  });
}
