import { expect } from 'chai';
import { isDatabaseAway, violatedUniqueIndex } from '../../../shared/platform/database/databaseErrors.js';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { createTestDatabase } from '../../support/database.js';
import { freePort } from '../../support/processes.js';
import { useFixture } from '../../support/fixtures.js';

describe('The database', () => {
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
      whole: 7,
      list: ['a', 'b,"c'],
      bytes: Buffer.from([0, 1, 255]),
      moment,
      yes: true,
      nothing: null,
      json: JSON.stringify({ a: [1] }),
    };
    const [row] = await bothWays(
      `SELECT $text::text AS text, $whole::int + $whole::int AS twice, $list::text[] AS list, $bytes::bytea AS bytes, $moment::timestamptz AS moment,
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

  it('runs one statement with other values, and never interprets values as SQL', async () => {
    for (const value of ["'; DROP TABLE users; --", '$other', '2']) {
      expect(await bothWays('SELECT $value::text AS value', { value })).to.deep.equal([{ value }]);
    }
  });

  it('throws for a bind parameter without a value, instead of binding null', async () => {
    expect((await failureOf(db.rows('SELECT $missing::text', {}))).message).to.include('missing');
    expect((await failureOf(db.rows('SELECT $missing::text', { missing: undefined }))).message).to.include('missing');
  });

  it('reports the same errors, with the driver’s message; the connection stays usable', async () => {
    await db.change('CREATE TABLE twice (id int, CONSTRAINT twice_id UNIQUE (id))');
    for (const insert of [
      () => db.rows('INSERT INTO twice VALUES (1) RETURNING id'),
      () => db.transaction((tx) => db.rows('INSERT INTO twice VALUES (1) RETURNING id', {}, tx)),
    ]) {
      await insert().catch(() => {});
      const error = await failureOf(insert());
      expect(error.name).to.equal('SequelizeDatabaseError');
      expect(violatedUniqueIndex(error)).to.equal('twice_id');
      expect(isDatabaseAway(error)).to.equal(false);
    }
    const wrong = await failureOf(db.rows('SELECT nothing FROM nowhere'));
    expect([wrong.name, isDatabaseAway(wrong), violatedUniqueIndex(wrong)]).to.deep.equal([
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

  it('distinguishes a server that is down from our own errors, and reconnects', async () => {
    const unreachable = openDatabase({
      url: `postgres://postgres@127.0.0.1:${await freePort()}/none`,
      poolSize: 2,
      models: [],
    });
    expect(isDatabaseAway(await failureOf(unreachable.rows('SELECT 1')))).to.equal(true);
    expect(
      isDatabaseAway(await failureOf(unreachable.transaction((tx) => unreachable.rows('SELECT 1', {}, tx)))),
    ).to.equal(true);
    await unreachable.close();
    const killed = failureOf(db.rows('SELECT pg_terminate_backend(pg_backend_pid())'));
    expect(isDatabaseAway(await killed)).to.equal(true);
    expect(await db.rows('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });
});
