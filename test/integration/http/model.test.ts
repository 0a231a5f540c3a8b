import { expect } from 'chai';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { column, defineModel } from '../../../shared/platform/database/model.js';
import { createTestDatabase } from '../../support/database.js';
import { useFixture } from '../../support/fixtures.js';
import { rejection } from '../../support/rejection.js';

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

  it('has the types of its columns', () => {
    // Never called: each expected compile error fails the build if it is missing.
    void (async () => {
      // @ts-expect-error -- no such column
      await noted().findOne({ where: { text: 'a' } });
      // @ts-expect-error -- a value of another type
      await noted().findAll({ where: { number: '1' } });
      // @ts-expect-error -- a value that may be null
      await noted().destroy({ where: { noteText: (await noted().findByPk(1))?.noteText ?? null } });
      // @ts-expect-error -- a value that the column does not have
      await noted().update({ state: 'GONE' }, { where: { number: 1 } });
      // @ts-expect-error -- a column without a default is omitted
      await noted().create({ state: 'OLD' });
      // @ts-expect-error -- a column that was not selected
      (await noted().findByPk(1, { attributes: ['number'] }))?.state;
      // @ts-expect-error -- a lock outside of a transaction
      await noted().findByPk(1, { lock: 'UPDATE' });
    });
  });

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
