import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";

/** A manifest has 1 MiB in its canonical form; people write it with blanks and line breaks. */
export const MANIFEST_BODY_BYTES_MAX = 2 * 1024 * 1024;

const EXAMPLE = {
  type: "pipeline",
  key: "renewals",
  spec: {
    name: "Renewals",
    stages: [
      { key: "due", name: "Due", type: "open" },
      { key: "kept", name: "Kept", type: "won" },
      { key: "gone", name: "Gone", type: "lost" },
    ],
  },
};

const ManifestAsset = Type.Object(
  {
    type: Type.String({ description: "Type of the asset, such as pipeline", examples: ["pipeline"] }),
    key: Type.String({
      description:
        "Name of the asset in all versions, up to 64 of a-z, 0-9, dot, minus and underscore, from a letter on; of a custom field its resource, a dot and its key",
      examples: ["renewals"],
    }),
    spec: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "The asset itself: what the API of its type has, without ids. Missing members have the defaults.",
      },
    ),
  },
  { ...closed, title: "ManifestAsset" },
);

export const Manifest = Type.Object(
  {
    format: Type.Integer({ description: "Format of the manifest: 1", examples: [1] }),
    assets: Type.Array(ManifestAsset, { description: "Up to 500 assets", examples: [[EXAMPLE]] }),
  },
  { ...closed, title: "Manifest", description: "Configuration of an account, without its ids" },
);

const Changelog = nullable(
  Type.String({ minLength: 1, maxLength: 5000, pattern: "\\S", description: "What has changed", examples: ["Renewals added"] }),
);

/** Where the content of a version comes from. */
export const Content = {
  manifest: Type.Optional(Manifest),
  source_client_id: Type.Optional(
    Type.String({ ...Id("client"), description: "Account whose configuration is captured, instead of a manifest" }),
  ),
  changelog: Type.Optional(Changelog),
};

export const LeftOut = Type.Array(Type.String(), {
  description: "What was not captured, because it cannot leave the account: a sentence each",
});

export const VersionCreate = Type.Object(Content, { ...closed, title: "SnapshotVersionCreate" });
export type VersionCreate = Type.Static<typeof VersionCreate>;

const shown = {
  snapshot_id: Id("snapshot"),
  version: Type.Integer({ minimum: 1, description: "Number of the version, from 1 on" }),
  sha256: Type.String({ description: "Hash of the manifest in its canonical form (RFC 8785)" }),
  changelog: Changelog,
  asset_counts: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: "How many assets of each type it has",
    examples: [{ pipeline: 1 }],
  }),
  created_by: Type.String({ description: "Key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
};

export const SnapshotVersion = Type.Object(shown, {
  ...closed,
  title: "SnapshotVersion",
  description: "A version of a snapshot. It never changes.",
});
export type VersionShown = Type.Static<typeof SnapshotVersion>;

export const SnapshotVersionCreated = Type.Object(
  { ...shown, left_out: LeftOut },
  { ...closed, title: "SnapshotVersionCreated" },
);

export const SnapshotVersionContent = Type.Object(
  { ...shown, manifest: Manifest },
  { ...closed, title: "SnapshotVersionContent" },
);

export const VersionListQuery = Type.Object(page, closed);
export type VersionListQuery = Type.Static<typeof VersionListQuery>;

export const SnapshotVersionList = listOf(SnapshotVersion, "SnapshotVersionList");

const VersionNumber = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 999_999_999, description, examples: [1] }));

export const DiffQuery = Type.Object(
  {
    from: VersionNumber(0, "The older version; 0 is nothing at all. Default: the one before to"),
    to: VersionNumber(1, "The newer version. Default: the latest"),
  },
  closed,
);
export type DiffQuery = Type.Static<typeof DiffQuery>;

export const DiffStep = Type.Object(
  {
    type: Type.String({ examples: ["pipeline"] }),
    key: Type.String({ examples: ["renewals"] }),
    name: nullable(
      Type.String({
        description: "What people call it; null for what has no name, such as lead scoring",
        examples: ["Renewals"],
      }),
    ),
    action: Type.Enum(["create", "update", "remove"]),
    fields: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: "Pointer to the member within the spec", examples: ["/name"] }),
          from: Type.Unknown({ description: "Value before" }),
          to: Type.Unknown({ description: "Value after" }),
        },
        { ...closed, title: "SnapshotDiffField" },
      ),
    ),
  },
  { ...closed, title: "SnapshotDiffStep" },
);

export const SnapshotDiff = Type.Object(
  {
    snapshot_id: Id("snapshot"),
    from: Type.Integer({ minimum: 0, description: "The older version; 0 is nothing at all" }),
    to: Type.Integer({ minimum: 0, description: "The newer version" }),
    steps: Type.Array(DiffStep, { description: "What a deployment to an account without changes of its own would do" }),
  },
  { ...closed, title: "SnapshotDiff" },
);
