// The order of the test files: what takes long goes first, so that both workers end at about the same time.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first, as `npm test` reports them. The others follow, larger files first. */
const SLOWEST = [
  "chaos/crash",
  "chaos/database",
  "upgrade/upgrade",
  "cluster/boot",
  "chaos/deliveries",
  "contract/access",
  "contract/documented-requests",
  "cli/examples",
  "cli/doctor",
  "documents/pages",
  "cluster/revocation",
  "postgres/places",
  "chaos/drain",
  "cli/commands",
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
