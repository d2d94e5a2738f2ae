// The order of the test files: what takes long goes first, so that both workers end at about the same time.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first, as `npm test` reports them. The others follow, larger files first. */
const SLOWEST = [
  "upgrade/upgrade",
  "contract/documented-requests",
  "documents/pages",
  "cli/examples",
  "postgres/places",
  "contract/bad-input",
  "e2e/reference",
  "contract/portal-access",
  "cluster/boot",
  "chaos/deliveries",
  "contract/access",
  "backup/damage",
  "chaos/crash",
  "chaos/payments",
  "backup/live",
  "backup/round-trip",
  "chaos/database",
  "chaos/drain",
  "chaos/rollouts",
  "property/earning",
  "property/contacts",
  "cluster/revocation",
  "cluster/delivery-workers",
  "chaos/start",
  "chaos/imports",
  "postgres/recovery",
  "postgres/refusal",
  "postgres/embedded",
  "api/sign-in-factor",
  "cli/doctor",
  "cli/commands",
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
