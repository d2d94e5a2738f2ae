// The order of the test files: what takes long goes first, so that both workers end at about the same time.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first, as `npm test` reports them. The others follow, larger files first. */
const SLOWEST = [
  "cli/examples",
  "documents/pages",
  "cli/commands",
  "upgrade/upgrade",
  "contract/documented-requests",
  "postgres/places",
  "cluster/boot",
  "backup/round-trip",
  "chaos/deliveries",
  "e2e/reference",
  "chaos/crash",
  "chaos/database",
  "contract/access",
  "contract/bad-input",
  "cli/doctor",
  "chaos/drain",
  "cluster/revocation",
  "chaos/start",
  "chaos/imports",
  "postgres/recovery",
  "postgres/refusal",
  "postgres/embedded",
  "cluster/delivery-workers",
];

export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? SLOWEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
