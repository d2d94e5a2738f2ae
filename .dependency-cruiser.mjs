import { FEATURES } from "./server/src/surfaces/features.ts";

/** kernel <- platform <- features <- surfaces <- app <- service <- main <- cli; an import points only to the left. */
const LAYERS = ["kernel", "platform", "features", "surfaces"];

const layers = LAYERS.map((layer, index) => ({
  name: `${layer}-imports-nothing-above`,
  severity: "error",
  from: { path: `^server/src/${layer}/`, pathNot: "\\.test\\.ts$" },
  to: {
    path: [...LAYERS.slice(index + 1).map((above) => `^server/src/${above}/`), "^server/src/cli/", "^server/src/[^/]+\\.ts$"],
  },
}));

/** A feature uses what it says that it uses, through index.ts. `server/test/tidy.test.ts` holds the order between them. */
const features = FEATURES.map(({ name, uses }) => ({
  name: `${name}-uses-what-it-says`,
  severity: "error",
  from: { path: `^server/src/features/${name}/` },
  to: {
    path: "^server/src/features/",
    pathNot: [`^server/src/features/${name}/`, ...uses.map((used) => `^server/src/features/${used}/index\\.ts$`)],
  },
}));

/** Above all others: what fills an installation for the first time. */
const ABOVE = ["first-run"];

const only = (name, from, to) => ({
  name,
  severity: "error",
  from: { path: "^server/src/", pathNot: [...from, "\\.test\\.ts$"] },
  to,
});

/** ui <- api <- features <- app, and the operator's pages beside the features. */
const portal = [
  { name: "portal-ui-imports-nothing-above", from: "ui", to: ["api", "features", "operator", "app"] },
  { name: "portal-api-imports-nothing-above", from: "api", to: ["ui", "features", "operator", "app"] },
  { name: "portal-features-import-no-app", from: "(features|operator)", to: ["app"] },
].map(({ name, from, to }) => ({
  name,
  severity: "error",
  from: { path: `^portal/src/${from}/` },
  to: { path: to.map((layer) => `^portal/src/${layer}/`) },
}));

export default {
  forbidden: [
    ...layers,
    ...portal,
    {
      name: "portal-only-data-calls-the-api",
      severity: "error",
      from: { path: "^portal/src/", pathNot: ["/data\\.ts$", "/[a-z-]+\\.data\\.ts$", "^portal/src/api/"] },
      to: { path: "^portal/src/api/(client|portal|send)\\.ts$" },
    },
    {
      name: "portal-feature-shows-its-data",
      severity: "error",
      from: { path: "^portal/src/(features|operator)/([^/]+)/" },
      to: {
        path: "^portal/src/features/",
        pathNot: ["^portal/src/features/$2/", "/data\\.ts$", "^portal/src/features/crm/records/"],
      },
    },
    ...features,
    { name: "no-cycles", severity: "error", from: { path: "^(server|portal|widget)/src/" }, to: { circular: true } },
    {
      name: "no-unlisted-feature",
      severity: "error",
      from: { path: `^server/src/features/(?!(${[...FEATURES.map(({ name }) => name), ...ABOVE].join("|")})/)` },
      to: {},
    },
    {
      name: "a-feature-shows-its-face",
      severity: "error",
      from: { path: "^server/src/(surfaces/|cli/|features/first-run/|[^/]+\\.ts$)" },
      to: { path: "^server/src/features/", pathNot: ["/index\\.ts$", "^server/src/features/first-run/"] },
    },
    {
      name: "nothing-imports-the-command-line",
      severity: "error",
      from: { path: "^server/src/", pathNot: ["^server/src/cli/", "^server/src/cli\\.ts$"] },
      to: { path: "^server/src/cli/" },
    },
    {
      name: "kernel-imports-nothing",
      severity: "error",
      from: { path: "^server/src/kernel/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^server/src/kernel/", "^(node:)?crypto$", "node_modules/(libphonenumber-js|croner|ibantools)/"] },
    },
    {
      name: "the-engine-imports-the-kernel-alone",
      severity: "error",
      from: { path: "^server/src/features/agents/engine/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^server/src/kernel/", "^server/src/features/agents/engine/"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "the-sandbox-reaches-kernel-and-engine-alone",
      severity: "error",
      from: { path: "^server/src/features/agents/sandbox/(child|offline|(run|persona|played)\\.model)\\.ts$" },
      to: {
        pathNot: [
          "^server/src/kernel/",
          "^server/src/features/agents/engine/",
          "^server/src/features/agents/sandbox/(child|offline|(run|persona|played)\\.model)\\.ts$",
          "^(node:)?(dgram|dns|net)$",
        ],
      },
    },
    only("pg-only-in-platform", ["^server/src/platform/(db|postgres)/"], { path: "node_modules/pg/" }),
    only("mail-packages-only-in-mail", ["^server/src/platform/mail/"], {
      path: "node_modules/(nodemailer|smtp-server|imapflow|sanitize-html)/",
    }),
    only("pdfkit-only-in-documents", ["^server/src/platform/documents/"], { path: "node_modules/(pdfkit|fontkit|bidi-js)/" }),
    only("fastify-only-at-the-edge", ["^server/src/platform/http/", "^server/src/surfaces/", "^server/src/app\\.ts$"], {
      path: "node_modules/fastify/",
    }),
    {
      name: "no-undeclared-package",
      severity: "error",
      from: { path: "^server/src/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["source", "import", "node", "default"] },
  },
};
