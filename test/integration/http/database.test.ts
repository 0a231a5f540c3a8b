import { expect } from 'chai';
import type { StatementBounds } from '../../../shared/platform/database/database.js';
import {
  isDatabaseUnreachable,
  isStatementCancelled,
  violatedUniqueIndex,
} from '../../../shared/platform/database/databaseErrors.js';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { createTestDatabase } from '../../support/database.js';
import { eventually, rejection } from '../../support/eventually.js';
import { fixtureEach, useFixture, serviceFixture } from '../../support/fixtures.js';
import { freePort } from '../../support/deployment.js';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { SharedConcurrency } from '../../../shared/platform/sharedConcurrency.js';
import { SharedCount } from '../../../shared/platform/sharedConcurrency.model.js';
import { deleteEndedSharedCounts } from '../../../shared/platform/endedCounts.js';

describe('the database', () => {
  const database = useFixture(createTestDatabase);
  const db = useFixture(() => openDatabase({ url: database.url, poolSize: 4, models: [] }));

  const failureOf = async (work: Promise<unknown>): Promise<Error & { parent?: unknown }> => {
    try {
      await work;
    } catch (error) {
      return error as Error;
    }
    throw new Error('it did not fail');
  };

  /** The result of both query functions, which must be equal. */
  async function bothWays(sql: string, bind: Record<string, unknown>): Promise<object[]> {
    const direct = await db.rows(sql, bind);
    const inTransaction = await db.transaction((tx) => db.rows(sql, bind, tx));
    expect(direct).to.deep.equal(inTransaction);
    return direct;
  }

  it('returns the same rows inside and outside of a transaction, for every type of value', async () => {
    const moment = new Date('2026-01-02T03:04:05.678Z');
    const bind = {
      text: "it's $1 $$",
      integer: 7,
      list: ['a', 'b,"c'],
      bytes: Buffer.from([0, 1, 255]),
      moment,
      yes: true,
      nothing: null,
      json: JSON.stringify({ a: [1] }),
    };
    const [row] = await bothWays(
      `SELECT $text::text AS text, $integer::int + $integer::int AS twice, $list::text[] AS list, $bytes::bytea AS bytes, $moment::timestamptz AS moment,
              $yes::boolean AS yes, $nothing::text AS nothing, $json::jsonb AS json, 12345678901234::bigint AS large, 1.50::numeric AS exact,
              DATE '2026-01-02' AS day, 'a $$ b' AS dollar`,
      bind,
    );
    expect(row).to.deep.include({
      text: "it's $1 $$",
      twice: 14,
      list: ['a', 'b,"c'],
      moment,
      yes: true,
      nothing: null,
      json: { a: [1] },
      large: 12345678901234,
      dollar: 'a $ b',
    });
  });

  it('runs the same statement with other values, and never interprets values as SQL', async () => {
    for (const value of ["'; DROP TABLE users; --", '$other', '2'])
      expect(await bothWays('SELECT $value::text AS value', { value })).to.deep.equal([{ value }]);
  });

  it('throws for a missing bind parameter instead of binding null', async () => {
    expect((await failureOf(db.rows('SELECT $missing::text', {}))).message).to.include('missing');
    expect((await failureOf(db.rows('SELECT $missing::text', { missing: undefined }))).message).to.include('missing');
  });

  it('reports the same errors with the driver’s message, and keeps the connection usable', async () => {
    await db.change('CREATE TABLE twice (id int, CONSTRAINT twice_id UNIQUE (id))');
    for (const insert of [
      () => db.rows('INSERT INTO twice VALUES (1) RETURNING id'),
      () => db.transaction((tx) => db.rows('INSERT INTO twice VALUES (1) RETURNING id', {}, tx)),
    ]) {
      await insert().catch(() => {});
      const error = await failureOf(insert());
      expect(error.name).to.equal('SequelizeDatabaseError');
      expect(violatedUniqueIndex(error)).to.equal('twice_id');
      expect(isDatabaseUnreachable(error)).to.equal(false);
    }
    const wrong = await failureOf(db.rows('SELECT nothing FROM nowhere'));
    expect([wrong.name, isDatabaseUnreachable(wrong), violatedUniqueIndex(wrong)]).to.deep.equal([
      'SequelizeDatabaseError',
      false,
      undefined,
    ]);
    expect(
      await Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          db.rows<{ number: number }>('SELECT $number::int AS number', { number }),
        ),
      ),
    ).to.have.length(20);
  });

  it('distinguishes an unreachable server from other errors, and reconnects', async () => {
    const unreachable = openDatabase({
      url: `postgres://postgres@127.0.0.1:${await freePort()}/none`,
      poolSize: 2,
      models: [],
    });
    expect(isDatabaseUnreachable(await failureOf(unreachable.rows('SELECT 1')))).to.equal(true);
    expect(
      isDatabaseUnreachable(await failureOf(unreachable.transaction((tx) => unreachable.rows('SELECT 1', {}, tx)))),
    ).to.equal(true);
    await unreachable.close();
    const killed = failureOf(db.rows('SELECT pg_terminate_backend(pg_backend_pid())'));
    expect(isDatabaseUnreachable(await killed)).to.equal(true);
    expect(await db.rows('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });
});

describe('a prepared statement', () => {
  const database = fixtureEach(createTestDatabase);
  // One connection, so that the statements run in order.
  const db = fixtureEach(() => openDatabase({ url: database.url, poolSize: 1, models: [] }));

  beforeEach(async () => {
    await db.change('CREATE TABLE noted (number int, note_text text)');
    await db.change(`INSERT INTO noted VALUES (1, 'one'), (2, 'two')`);
  });

  const read = (number: number) =>
    db.prepared<{ noteText: string }>('SELECT note_text FROM noted WHERE number = $number', { number });
  const preparations = async (): Promise<number> =>
    (await db.rows('SELECT 1 FROM pg_prepared_statements WHERE statement LIKE $like', { like: '%FROM noted%' })).length;

  it('runs unprepared, and no further one is prepared, if the server has lost it, as behind a pooler', async () => {
    await read(1);
    await db.rows('DEALLOCATE ALL');
    expect(await read(2)).to.deep.equal([{ noteText: 'two' }]);
    expect(await db.prepared('SELECT number FROM noted WHERE number = 1')).to.deep.equal([{ number: 1 }]);
    expect(await preparations()).to.equal(0);
  });

  it('runs again after a migration has changed the type of a column', async () => {
    await db.prepared('SELECT number FROM noted WHERE number > 1');
    await db.rows('ALTER TABLE noted ALTER number TYPE bigint');
    expect(await db.prepared('SELECT number FROM noted WHERE number > 1')).to.deep.equal([{ number: 2 }]);
    await read(1);
    expect(await preparations()).to.equal(2);
  });
});

describe('statement limits', () => {
  const database = useFixture(createTestDatabase);
  // One connection: anything left on it would disturb the next statement.
  const db = useFixture(() => openDatabase({ url: database.url, poolSize: 1, models: [] }));
  const watcher = useFixture(() =>
    openDatabase({ url: database.url, poolSize: 1, models: [], statementTimeoutMs: 300 }),
  );

  const sleep = (seconds: number, bounds?: StatementBounds) =>
    db.rows<{ done: number }>('SELECT 1 AS done FROM pg_sleep($seconds)', { seconds }, undefined, bounds);

  async function expectUsable(): Promise<void> {
    for (let round = 0; round < 5; round += 1) expect(await sleep(0)).to.deep.equal([{ done: 1 }]);
  }

  it('end every statement at the connection’s statement timeout, and keep the connection usable', async () => {
    const [shown] = await watcher.rows<{ statementTimeout: string }>('SHOW statement_timeout');
    expect(shown).to.deep.equal({ statementTimeout: '300ms' });
    const slow = 'SELECT pg_sleep(30)';
    expect(isStatementCancelled(await rejection(watcher.rows(slow)))).to.equal(true);
    const inTransaction = watcher.transaction((tx) => watcher.rows(slow, {}, tx));
    expect(isStatementCancelled(await rejection(inTransaction))).to.equal(true);
    expect(await watcher.rows('SELECT 1 AS done')).to.deep.equal([{ done: 1 }]);
  });

  it('cancel a statement with a shorter timeout on the server', async () => {
    const startedMs = performance.now();
    expect(isStatementCancelled(await rejection(sleep(30, { timeoutMs: 50 })))).to.equal(true);
    expect(performance.now() - startedMs).to.be.below(10_000);
    await expectUsable();
    expect(await sleep(0.01, { timeoutMs: 10_000 })).to.deep.equal([{ done: 1 }]);
  });

  it('cancel the statement of a disconnected caller on the server', async () => {
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

  /** Counted on another connection, because the only connection of `db` is busy. */
  async function runningSleeps(): Promise<number> {
    const rows = await watcher.rows(
      `SELECT pid FROM pg_stat_activity
        WHERE state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND datname = current_database()`,
    );
    return rows.length;
  }
});

describe('concurrency limits across processes', () => {
  const { ctx } = serviceFixture();
  const process = (): SharedConcurrency => new SharedConcurrency(ctx.db, ctx.log);
  const refused = async (concurrency: SharedConcurrency, key: string, maximum: number): Promise<void> =>
    void expect(await rejection(concurrency.enter(key, maximum))).to.be.instanceOf(TooManyRequestsError);

  it('permit the maximum in all processes together, and another entry after one has ended', async () => {
    const [first, second] = [process(), process()];
    const leave = await first.enter('film:1', 2);
    await second.enter('film:1', 2);
    await refused(first, 'film:1', 2);
    await refused(second, 'film:1', 2);
    await second.enter('film:2', 2);
    leave();
    leave();
    await eventually(() => second.enter('film:1', 2));
    await refused(first, 'film:1', 2);
    await Promise.all([first.close(), second.close()]);
    const third = process();
    await third.enter('film:1', 1);
    await third.close();
    expect(await ctx.db.model(SharedCount).count({ where: { key: ['film:1', 'film:2'] } })).to.equal(0);
  });

  it('never permit more than the maximum for simultaneous entries', async () => {
    const processes = [process(), process(), process(), process()];
    const entering = processes.flatMap((one) => Array.from({ length: 10 }, () => one.enter('film:3', 10)));
    const entered = (await Promise.allSettled(entering)).filter(({ status }) => status === 'fulfilled');
    expect(entered.length).to.be.at.most(10);
    await Promise.all(processes.map((one) => one.close()));
  });

  it('ignore a crashed process, and count a process again whose rows were lost', async () => {
    const [dead, alive] = [process(), process()];
    await dead.enter('film:4', 1);
    await refused(alive, 'film:4', 1);
    const past = new Date(Date.now() - 1_000);
    await ctx.db.model(SharedCount).update({ leaseUntil: past }, { where: { key: 'film:4' } });
    await alive.enter('film:4', 1);
    expect(await deleteEndedSharedCounts(ctx, new AbortController().signal)).to.equal(1);
    await ctx.db.model(SharedCount).destroy({ where: { key: 'film:4' } });
    await alive.renew();
    await refused(process(), 'film:4', 1);
    await Promise.all([dead.close(), alive.close()]);
  });
});
