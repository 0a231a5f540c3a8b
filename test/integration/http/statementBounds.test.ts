import { expect } from 'chai';
import { isStatementCancelled } from '../../../shared/platform/database/databaseErrors.js';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import type { StatementBounds } from '../../../shared/platform/database/database.js';
import { createTestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { rejection } from '../../support/rejection.js';
import { useFixture } from '../../support/fixtures.js';

describe('Bounds of statements', () => {
  const database = useFixture(createTestDatabase);
  // One connection: whatever is left on it would disturb the next statement.
  const db = useFixture(() => openDatabase({ url: database.url, poolSize: 1, models: [] }));
  const watcher = useFixture(() =>
    openDatabase({ url: database.url, poolSize: 1, models: [], statementTimeoutMs: 300 }),
  );

  const sleep = (seconds: number, bounds?: StatementBounds) =>
    db.rows<{ done: number }>('SELECT 1 AS done FROM pg_sleep($seconds)', { seconds }, undefined, bounds);

  async function expectUsable(): Promise<void> {
    for (let round = 0; round < 5; round += 1) expect(await sleep(0)).to.deep.equal([{ done: 1 }]);
  }

  it('every statement ends at the statement timeout of its connection, and the connection stays usable', async () => {
    const [shown] = await watcher.rows<{ statementTimeout: string }>('SHOW statement_timeout');
    expect(shown).to.deep.equal({ statementTimeout: '300ms' });
    const slow = 'SELECT pg_sleep(30)';
    expect(isStatementCancelled(await rejection(watcher.rows(slow)))).to.equal(true);
    const inTransaction = watcher.transaction((tx) => watcher.rows(slow, {}, tx));
    expect(isStatementCancelled(await rejection(inTransaction))).to.equal(true);
    expect(await watcher.rows('SELECT 1 AS done')).to.deep.equal([{ done: 1 }]);
  });

  it('a shorter time for one statement cancels it on the server', async () => {
    const startedMs = performance.now();
    expect(isStatementCancelled(await rejection(sleep(30, { timeoutMs: 50 })))).to.equal(true);
    expect(performance.now() - startedMs).to.be.below(10_000);
    await expectUsable();
    expect(await sleep(0.01, { timeoutMs: 10_000 })).to.deep.equal([{ done: 1 }]);
  });

  it('a caller that disconnects cancels the statement on the server', async () => {
    const disconnected = new AbortController();
    const slow = rejection(sleep(30, { signal: disconnected.signal }));
    await eventually(async () => expect(await runningSleeps()).to.equal(1));
    const reason = new Error('disconnected');
    const startedMs = performance.now();
    disconnected.abort(reason);
    expect(await slow).to.equal(reason);
    expect(performance.now() - startedMs).to.be.below(10_000);
    expect(await runningSleeps()).to.equal(0);
    await expectUsable();
    expect(await rejection(sleep(0, { signal: disconnected.signal }))).to.equal(reason);
  });

  /** Seen from another connection: the only one of `db` is busy. */
  async function runningSleeps(): Promise<number> {
    const rows = await watcher.rows(
      `SELECT pid FROM pg_stat_activity
        WHERE state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND datname = current_database()`,
    );
    return rows.length;
  }
});
