/** kernel <- platform <- features <- surfaces <- app <- service <- main <- cli; an import points only to the left. */
const LAYERS = ["kernel", "platform", "features", "surfaces"];

/** A feature may use those listed here, through their index.ts. The order has no cycle. */
const FEATURES = {
  pipelines: ["accounts"],
  clients: ["pipelines"],
  keys: ["clients"],
  users: ["clients"],
  events: [],
  webhooks: ["clients", "events"],
  changes: [],
  accounts: [],
  timeline: [],
  records: ["accounts", "clients"],
  contacts: ["accounts", "clients", "records", "timeline"],
  registrations: ["clients", "operators"],
  deals: ["accounts", "clients", "contacts", "pipelines", "records", "registrations", "timeline"],
  leads: ["accounts", "clients", "contacts", "deals", "pipelines", "records", "timeline"],
  imports: ["accounts", "clients", "contacts", "leads", "deals", "timeline"],
  metrics: [],
  "audit-log": [],
  operators: ["keys"],
  partners: ["clients", "keys", "users", "operators"],
  "first-run": ["partners", "clients", "contacts", "deals", "leads", "pipelines", "keys", "users", "operators"],
};

const layers = LAYERS.map((layer, index) => ({
  name: `${layer}-imports-nothing-above`,
  severity: "error",
  from: { path: `^server/src/${layer}/`, pathNot: "\\.test\\.ts$" },
  to: {
    path: [...LAYERS.slice(index + 1).map((above) => `^server/src/${above}/`), "^server/src/cli/", "^server/src/[^/]+\\.ts$"],
  },
}));

const features = Object.entries(FEATURES).map(([feature, uses]) => ({
  name: `${feature}-uses-only-${uses.join("-") || "no-feature"}`,
  severity: "error",
  from: { path: `^server/src/features/${feature}/` },
  to: {
    path: "^server/src/features/",
    pathNot: [`^server/src/features/${feature}/`, ...uses.map((used) => `^server/src/features/${used}/index\\.ts$`)],
  },
}));

const only = (name, from, to) => ({
  name,
  severity: "error",
  from: { path: "^server/src/", pathNot: [...from, "\\.test\\.ts$"] },
  to,
});

export default {
  forbidden: [
    ...layers,
    ...features,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unlisted-feature",
      severity: "error",
      from: { path: `^server/src/features/(?!(${Object.keys(FEATURES).join("|")})/)` },
      to: {},
    },
    {
      name: "a-feature-shows-its-face",
      severity: "error",
      from: { path: "^server/src/(surfaces/|cli/|[^/]+\\.ts$)" },
      to: { path: "^server/src/features/", pathNot: "/index\\.ts$" },
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
      to: { pathNot: ["^server/src/kernel/", "^(node:)?crypto$", "node_modules/libphonenumber-js/"] },
    },
    only("pg-only-in-platform", ["^server/src/platform/(db|postgres)/"], { path: "node_modules/pg/" }),
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
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
