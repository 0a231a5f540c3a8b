import { expect } from 'chai';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { column, defineModel } from '../../../shared/platform/database/model.js';
import { createTestDatabase } from '../../support/database.js';
import { useFixture } from '../../support/fixtures.js';
import { rejection } from '../../support/eventually.js';
import { conflictAttempts } from '../../../shared/platform/database/conflicts.js';
import { isDatabaseUnreachable } from '../../../shared/platform/database/databaseErrors.js';
import type { Transaction } from '../../../shared/platform/database/database.js';

const Noted = defineModel('noted', {
  number: column.integer().primaryKey(),
  noteText: column.text().nullable(),
  state: column.text<'NEW' | 'OLD'>().withDefault(),
  parts: column.json<readonly { readonly name: string }[]>().nullable(),
  bytes: column.bigint().nullable(),
});

describe('the model of a table', () => {
  const database = useFixture(createTestDatabase);
  const db = useFixture(() => openDatabase({ url: database.url, poolSize: 2, models: [Noted] }));

  before(() =>
    db.change(
      `CREATE TABLE noted (number int PRIMARY KEY, note_text text, state text NOT NULL DEFAULT 'NEW', parts jsonb, bytes bigint)`,
    ),
  );
  beforeEach(() => db.model(Noted).destroy({ where: {} }));
  const noted = () => db.model(Noted);
  const numbersOf = async (rows: Promise<readonly { number: number }[]>): Promise<number[]> =>
    (await rows).map(({ number }) => number).toSorted((left, right) => left - right);

  it('stores a row, and resolves with the stored row', async () => {
    const parts = [{ name: 'a' }, { name: 'b' }];
    const row = await noted().create({ number: 1, parts, bytes: 12345678901234 });
    expect(row).to.deep.equal({ number: 1, noteText: null, state: 'NEW', parts, bytes: 12345678901234 });
    expect(await noted().findByPk(1)).to.deep.equal(row);
  });

  it('stores several rows, some without optional columns', async () => {
    await noted().bulkCreate([
      { number: 1, state: 'OLD' },
      { number: 2, noteText: "it's" },
    ]);
    await noted().bulkCreate([]);
    const rows = await noted().findAll({ attributes: ['state', 'noteText'], order: [['number', 'DESC']] });
    expect(rows).to.deep.equal([
      { state: 'NEW', noteText: "it's" },
      { state: 'OLD', noteText: null },
    ]);
  });

  it('finds rows by one, several or no values, which are combined with AND', async () => {
    await noted().bulkCreate([{ number: 1, noteText: 'a', state: 'OLD' }, { number: 2, noteText: 'a' }, { number: 3 }]);
    expect(await numbersOf(noted().findAll({ where: { noteText: 'a' } }))).to.deep.equal([1, 2]);
    expect(await numbersOf(noted().findAll({ where: { noteText: 'a', state: 'OLD' } }))).to.deep.equal([1]);
    expect(await numbersOf(noted().findAll({ where: { noteText: null } }))).to.deep.equal([3]);
    expect(await numbersOf(noted().findAll({ where: { number: [1, 3, 4] } }))).to.deep.equal([1, 3]);
    expect([await noted().count(), await noted().count({ where: { number: [] } })]).to.deep.equal([3, 0]);
    const first = await noted().findOne({ where: { noteText: 'a' }, order: [['number', 'DESC']] });
    expect(first).to.include({ number: 2 });
  });

  it('rejects a missing value instead of omitting the condition', async () => {
    await noted().create({ number: 1 });
    const missing = { number: undefined as unknown as number };
    for (const failing of [noted().findOne({ where: missing }), noted().destroy({ where: missing })])
      expect((await rejection(failing)).message).to.equal('the bind $number has no value');
    expect(await noted().count()).to.equal(1);
  });

  it('reports a missing row as null or as an error', async () => {
    expect([await noted().findByPk(1), await noted().findOne({ where: { number: 1 } })]).to.deep.equal([null, null]);
    const failing = noted().findByPk(1, { rejectOnEmpty: true });
    expect((await rejection(failing)).message).to.equal('noted has no such row');
  });

  it('changes and deletes rows, also by a changed column, and returns their number', async () => {
    await noted().bulkCreate([{ number: 1 }, { number: 2 }, { number: 3, state: 'OLD' }]);
    const changes = { state: 'OLD', parts: [{ name: 'a' }], noteText: undefined } as const;
    expect(await noted().update(changes, { where: { state: 'NEW' } })).to.equal(2);
    expect(await noted().findByPk(2)).to.deep.include({ state: 'OLD', parts: [{ name: 'a' }], noteText: null });
    expect(await noted().update({ parts: null }, { where: { number: 2 } })).to.equal(1);
    expect(await noted().findByPk(2)).to.include({ parts: null });
    expect(await noted().destroy({ where: { number: [1, 2] } })).to.equal(2);
    expect(await numbersOf(noted().findAll())).to.deep.equal([3]);
  });

  it('locks rows until the end of the transaction', async () => {
    await noted().create({ number: 1 });
    const order: string[] = [];
    let other: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await noted().findByPk(1, { transaction: tx, lock: 'UPDATE' });
      other = noted()
        .update({ state: 'OLD' }, { where: { number: 1 } })
        .then(() => order.push('changed'));
      await db.rows('SELECT pg_sleep(0.1)', {}, tx);
      order.push('committed');
    });
    await other;
    expect(order).to.deep.equal(['committed', 'changed']);
  });

  it('exists only for a registered table', () =>
    expect(() => db.model(defineModel('unlisted', { id: column.uuid() }))).to.throw('unlisted is not listed'));
});

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
      expect(await note(1, over).catch((error: Error) => error.message)).to.include('has ended');
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
