import Mocha from 'mocha';

/** How long a mocha process may run after its last test. */
const lingerMs = 15_000;

/** The counts of a mocha process, sent to `scripts/test.ts`. */
export interface TestCounts {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
}

/** Mocha's usual report; its counts go to the process that has started mocha. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.send?.({ passes, failures, pending } satisfies TestCounts);
      setTimeout(endWithLeaks, lingerMs).unref();
    });
  }
}

/** Only reached where something open keeps the process alive: a test has not closed what it opened. */
function endWithLeaks(): void {
  console.error(`The tests have left open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}
