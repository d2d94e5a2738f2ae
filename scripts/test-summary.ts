// Ends a run with its slowest files and, last of all, the tests that failed.
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";

const SHOWN = 10;
const SHOWN_LETTERS = 300;

export default class TestSummary implements Reporter {
  private root = "";

  onInit(vitest: Vitest): void {
    this.root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (modules.length < SHOWN) return;
    this.writeSlowest(modules);
    this.writeFailed(modules, errors);
  }

  private writeSlowest(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      return { path: this.path(module), seconds: (setupDuration + collectDuration + duration) / 1000 };
    });
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
    process.stdout.write(`\nThe ${SHOWN} slowest of ${files.length} files:\n${lines.join("\n")}\n`);
  }

  private writeFailed(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const lines = modules.flatMap((module) => [
      ...module.errors().map((error) => `  ${this.path(module)}${because(error)}`),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => `  ${this.path(module)} > ${suite.fullName}${because(error)}`),
      ),
      ...[...module.children.allTests("failed")].map(
        (test) => `  ${this.path(module)} > ${test.fullName}${because(test.result().errors?.[0])}`,
      ),
    ]);
    lines.push(...errors.map((error) => `  outside a test${because(error)}`));
    if (lines.length > 0) process.stdout.write(`\nFailed:\n${lines.join("\n")}\n`);
  }

  private path(module: TestModule): string {
    return relative(this.root, module.moduleId);
  }
}

function because(error: { message: string } | undefined): string {
  return error === undefined ? "" : `\n    ${error.message.slice(0, SHOWN_LETTERS).replaceAll("\n", "\n    ")}`;
}
