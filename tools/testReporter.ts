import Mocha from 'mocha';

/** How long a mocha process may run after its last test. */
const lingerMs = 15_000;

/** What a mocha process sends to `tools/test.ts` at its end. */
export interface TestReport {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
  readonly failed: readonly FailedTest[];
  /** Titles of what was skipped, each with what it needs, and how many tests that are. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface FailedTest {
  readonly title: string;
  /** Compiled. Null: the hooks of all tests have failed. */
  readonly file: string | null;
}

/** Mocha's usual report; its counts, and what has failed, go to the process that has started mocha. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const failed: FailedTest[] = [];
    runner.on('fail', (test: Mocha.Runnable) => failed.push({ title: test.fullTitle(), file: test.file ?? null }));
    const skipped: Record<string, number> = {};
    runner.on('pending', (test: Mocha.Test) => {
      const title = skippedTitle(test.fullTitle());
      skipped[title] = (skipped[title] ?? 0) + 1;
    });
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.send?.({ passes, failures, pending, failed, skipped } satisfies TestReport);
      setTimeout(endWithLeaks, lingerMs).unref();
    });
  }
}

/** Up to what is missing (`test/support/requirements.ts`): all tests of a `describe` are one line. */
function skippedTitle(title: string): string {
  return /^.*?\(needs .*?\)/.exec(title)?.[0] ?? title;
}

/** Only reached where something open keeps the process alive: a test has not closed what it opened. */
function endWithLeaks(): void {
  console.error(`The tests have left open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}
