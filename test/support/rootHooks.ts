import type { Context } from 'mocha';
import { slowness } from './eventually.js';
import { unseenStatuses, takeResponseFaults } from './responseCheck.js';
import { recordStatements } from './recordStatements.js';
import {
  takeStorageFaults,
  takeWarnings,
  watchOwnWarnings,
  closeShared,
  setCurrentTest,
  takeOpen,
  takeOpenedBy,
  type OpenResource,
} from './testFaults.js';

watchOwnWarnings();
const statementFolder = process.env['TEST_STATEMENTS'];
if (statementFolder) recordStatements(statementFolder);

/** Loaded into every mocha process (`tools/test.ts`). In parallel mode, `beforeAll` and `afterAll` run for each file. */
export const mochaHooks = {
  beforeAll(): void {
    setCurrentTest('a hook of the file');
  },
  beforeEach(this: Context): void {
    setCurrentTest(this.currentTest?.fullTitle() ?? '');
    this.currentTest?.timeout(this.currentTest.timeout() * slowness);
  },
  afterEach(this: Context): void {
    const title = this.currentTest?.fullTitle() ?? '';
    setCurrentTest('a hook of the file');
    failWhereOpen(takeOpenedBy(title));
    failWith(takeResponseFaults());
    failWith(takeStorageFaults());
    failWith(takeWarnings());
  },
  afterAll(): void {
    failWhereOpen(takeOpen());
    failWith(takeWarnings());
  },
};

/** Runs once, in mocha's main process. Mocha ends worker processes itself. */
export async function mochaGlobalTeardown(): Promise<void> {
  await closeShared();
  failWith(takeWarnings());
  reportStatuses();
}

/** Runs after all tests. */
function reportStatuses(): void {
  if (process.env['TEST_STATUS_REPORT'] !== 'true') return;
  const unseen = unseenStatuses();
  if (unseen.length === 0) return;
  const title = `Documented statuses that no test has seen (${unseen.length} operations):`;
  process.stdout.write(`\n${[title, ...unseen].join('\n  ')}\n`);
}

function failWith(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
}

function failWhereOpen(resources: readonly OpenResource[]): void {
  if (resources.length === 0) return;
  const list = resources.map(({ what, openedBy }) => `${what}, opened by ${openedBy}`);
  throw new Error(`left open: ${list.join('; ')}`);
}
