// One failed test of a file is enough to notice a bug, and those after it may wait for what does not come.
import { beforeEach } from "vitest";

let failed = false;

beforeEach(({ skip, onTestFailed }) => {
  skip(failed, "a test before it has failed");
  onTestFailed(() => {
    failed = true;
  });
});
