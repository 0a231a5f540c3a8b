import { expect } from 'chai';
import { openTestContext } from '../../support/context.js';
import { takeStorageFaults } from '../../support/storageGuard.js';
import { useFixture } from '../../support/fixtures.js';

/** The guard of all tests: without this, it could find nothing and nobody would notice. */
describe('the storage, in tests', () => {
  const ctx = useFixture(openTestContext);

  it('must not be called while a transaction runs, in whatever it waits for', async () => {
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

  it('may be called after it, also by what it has begun', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await ctx.db.transaction(async (tx) => {
      tx.afterCommit(() => void (later = ctx.storage.stat('content/x/a')));
    });
    await later;
    await ctx.storage.stat('content/x/a');
    expect(takeStorageFaults()).to.deep.equal([]);
  });
});
