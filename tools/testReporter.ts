import Mocha from 'mocha';

/** Maximum time that a mocha process may run after its last test. */
const lingerMs = 15_000;

/** The message that a mocha process sends to `tools/test.ts` at its end. */
export interface TestReport {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
  readonly failed: readonly FailedTest[];
  /** Titles of skipped tests with the missing requirement, and the number of tests. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Duration of the tests and hooks of each compiled file. */
  readonly fileMs: Readonly<Record<string, number>>;
}

export interface FailedTest {
  readonly title: string;
  /** The compiled file. Null: the hooks of all tests have failed. */
  readonly file: string | null;
}

/** Mocha's spec report. Sends the counts, the failed tests and the durations to the process that started mocha. */
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
    const fileMs: Record<string, number> = {};
    const addDuration = ({ file, duration }: Mocha.Runnable): void => {
      if (file) fileMs[file] = (fileMs[file] ?? 0) + (duration ?? 0);
    };
    runner.on('test end', addDuration).on('hook end', addDuration);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.send?.({ passes, failures, pending, failed, skipped, fileMs } satisfies TestReport);
      setTimeout(endWithLeaks, lingerMs).unref();
    });
  }
}

/** The title up to the missing requirement (`test/support/requirements.ts`), so that a skipped `describe` is one line. */
function skippedTitle(title: string): string {
  return /^.*?\(needs .*?\)/.exec(title)?.[0] ?? title;
}

/** Reached only if an open resource keeps the process alive: a test did not close what it opened. */
function endWithLeaks(): void {
  console.error(`Open resources after the tests: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}
