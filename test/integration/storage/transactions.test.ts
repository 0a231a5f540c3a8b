import { expect } from 'chai';
import { openTestContext } from '../../support/context.js';
import { takeStorageFaults } from '../../support/storageGuard.js';
import { useFixture } from '../../support/fixtures.js';

/** Tests the guard of all tests: without this test, a guard that detects nothing would go unnoticed. */
describe('the storage guard of the tests', () => {
  const ctx = useFixture(openTestContext);

  it('reports calls inside a transaction, also nested ones', async () => {
    await ctx.db.transaction(async (tx) => {
      await ctx.db.rows('SELECT 1', {}, tx);
      await Promise.all([ctx.storage.stat('content/x/a'), ctx.storage.remove(['content/x/a'])]);
    });
    const faults = takeStorageFaults().map((fault) => fault.split('\n', 1)[0]);
    expect(faults).to.deep.equal([
      'Error: storage.stat is called inside a transaction',
      'Error: storage.remove is called inside a transaction',
    ]);
  });

  it('permits calls after the transaction, also by its hooks', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await ctx.db.transaction(async (tx) => {
      tx.afterCommit(() => void (later = ctx.storage.stat('content/x/a')));
    });
    await later;
    await ctx.storage.stat('content/x/a');
    expect(takeStorageFaults()).to.deep.equal([]);
  });
});
