// Reports the slowest test files at the end of a run.
import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

const SHOWN = 10;

export default class SlowFiles implements Reporter {
  private root = "";

  onInit(vitest: Vitest): void {
    this.root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < SHOWN) return;
    const files = modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      return { path: relative(this.root, module.moduleId), seconds: (setupDuration + collectDuration + duration) / 1000 };
    });
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
    process.stdout.write(`\nThe ${SHOWN} slowest of ${files.length} files:\n${lines.join("\n")}\n`);
  }
}
