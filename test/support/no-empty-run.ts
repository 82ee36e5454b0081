import type { Reporter, TestModule } from 'vitest/node';

const hasRun = (module: TestModule): boolean =>
  [...module.children.allTests()].some((test) => test.result().state !== 'skipped');

/** Fails a run in which no test ran: a tag that matches nothing is otherwise green. */
export const noEmptyRun: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length === 0 || modules.some(hasRun)) return;
    process.stderr.write(
      'No test ran: the filter matches none. Name a tag that some test carries.\n',
    );
    process.exitCode = 1;
  },
};
