import { expect } from 'chai';
import { conflictAttempts } from '../../../shared/platform/database/conflicts.js';
import { isDatabaseUnreachable } from '../../../shared/platform/database/databaseErrors.js';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { createTestDatabase } from '../../support/database.js';
import { watchStatements } from '../../support/statements.js';
import { useFixture } from '../../support/fixtures.js';

describe('a transaction', () => {
  const database = useFixture(createTestDatabase);
  const db = useFixture(() =>
    openDatabase({
      ...{ url: database.url, poolSize: 2, models: [] },
      onConflict: ({ code, attempt }) => void conflicts.push(`${code} ${attempt}`),
    }),
  );
  let conflicts: string[] = [];

  before(() => db.change('CREATE TABLE noted (number int CONSTRAINT noted_small CHECK (number < 100))'));
  beforeEach(async () => {
    conflicts = [];
    await db.change('DELETE FROM noted');
  });

  const note = (number: number, tx?: Transaction): Promise<number> =>
    db.change('INSERT INTO noted VALUES ($number)', { number }, tx);
  const noted = async (): Promise<number[]> =>
    (await db.rows<{ number: number }>('SELECT number FROM noted ORDER BY number')).map(({ number }) => number);
  const finished = async (fails: boolean): Promise<Transaction> => {
    const kept: Transaction[] = [];
    const work = db.transaction(async (tx) => {
      kept.push(tx);
      if (fails) throw new Error('no');
    });
    await work.catch(() => {});
    return kept[0] as Transaction;
  };
  /** Connections in use, and backends that are idle in a transaction. */
  const left = async (): Promise<[number, number]> => {
    const { used } = db.poolState();
    const [row] = await db.rows<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'",
    );
    return [used, row?.count ?? -1];
  };

  it('takes three statements', async () => {
    const watch = watchStatements();
    try {
      await db.transaction((tx) => note(1, tx));
    } finally {
      watch.stop();
    }
    expect(watch.seen.map(({ text }) => text.split(' ')[0])).to.deep.equal(['START', 'INSERT', 'COMMIT']);
    expect(await noted()).to.deep.equal([1]);
  });

  it('is visible after its commit and before its hook runs', async () => {
    const seen: number[][] = [];
    await db.transaction(async (tx) => {
      tx.afterCommit(async () => void seen.push(await noted()));
      await note(1, tx);
      seen.push(await noted());
    });
    expect(seen).to.deep.equal([[], [1]]);
    expect(await left()).to.deep.equal([0, 0]);
  });

  it('is rolled back if its function throws or a statement fails, and returns its connection', async () => {
    let hooks = 0;
    for (const number of [1, 100]) {
      const failed = await db
        .transaction(async (tx) => {
          tx.afterCommit(() => void hooks++);
          await note(2, tx);
          await note(number, tx);
          throw new Error('no');
        })
        .catch((error: Error) => error.name);
      expect(failed).to.equal(number === 1 ? 'Error' : 'SequelizeDatabaseError');
    }
    expect([await noted(), hooks, await left()]).to.deep.equal([[], 0, [0, 0]]);
  });

  it('rejects if the function ignored a statement’s error', async () => {
    let hooks = 0;
    const failed = await db
      .transaction(async (tx) => {
        tx.afterCommit(() => void hooks++);
        await note(1, tx);
        await note(100, tx).catch(() => {});
      })
      .catch((error: Error) => error.message);
    expect(failed).to.match(/^the transaction was rolled back/);
    expect([await noted(), hooks, await left()]).to.deep.equal([[], 0, [0, 0]]);
  });

  it('rejects statements after its end', async () => {
    for (const fails of [false, true]) {
      const over = await finished(fails);
      expect(await note(1, over).catch((error: Error) => error.message)).to.include('over');
    }
    expect(await noted()).to.deep.equal([]);
  });

  it('is retried completely after a deadlock, and runs its hooks once', async () => {
    await note(1);
    await note(2);
    let hooks = 0;
    const lock = (number: number, tx?: Transaction): Promise<number> =>
      db.change('UPDATE noted SET number = number WHERE number = $number', { number }, tx);
    const lockBoth = (order: readonly number[]): Promise<void> =>
      db.transaction(async (tx) => {
        tx.afterCommit(() => void hooks++);
        await note(order[0] ?? 0, tx);
        for (const number of order) {
          await lock(number, tx);
          await db.rows('SELECT pg_sleep(0.1)', {}, tx);
        }
      });
    await Promise.all([lockBoth([1, 2]), lockBoth([2, 1])]);
    expect([conflicts, hooks, await noted()]).to.deep.equal([['40P01 1'], 2, [1, 1, 2, 2]]);
  });

  it('gives up after some deadlocks, and immediately after any other error', async () => {
    const failing = async (code: string): Promise<number> => {
      let attempts = 0;
      const work = db.transaction(async () => {
        attempts += 1;
        throw Object.assign(new Error('rolled back'), { parent: { code } });
      });
      expect(await work.catch((error: Error) => error.message)).to.equal('rolled back');
      return attempts;
    };
    expect([await failing('40P01'), await failing('40001'), await failing('23505')]).to.deep.equal([
      conflictAttempts,
      conflictAttempts,
      1,
    ]);
    expect([conflicts.length, await left()]).to.deep.equal([2 * conflictAttempts, [0, 0]]);
  });

  it('rejects if the server is down at commit, and the next one reconnects', async () => {
    let hooks = 0;
    const lost = await db
      .transaction(async (tx) => {
        tx.afterCommit(() => void hooks++);
        await note(1, tx);
        const [own] = await db.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid', {}, tx);
        await db.rows('SELECT pg_terminate_backend($pid, 5000)', { pid: own?.pid });
      })
      .catch((error: unknown) => error);
    expect([isDatabaseUnreachable(lost), hooks]).to.deep.equal([true, 0]);
    expect(await noted()).to.deep.equal([]);
    await db.transaction((tx) => note(4, tx));
    expect(await noted()).to.deep.equal([4]);
    expect(await left()).to.deep.equal([0, 0]);
  });
});
