import Mocha from 'mocha';

/** How long a test run may go on after its last test. */
const lingerMs = 15_000;

/** Mocha's usual report, then the counts on a line of their own, for readers that are programs. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
      setTimeout(endWithLeaks, lingerMs).unref();
    });
  }
}

/** Only reached where something open keeps the process alive: a test has not closed what it opened. */
function endWithLeaks(): void {
  console.error(`The tests have left open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}
