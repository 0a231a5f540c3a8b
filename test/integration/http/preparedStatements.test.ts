import { expect } from 'chai';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { createTestDatabase } from '../../support/database.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('A prepared statement', () => {
  const database = fixtureEach(createTestDatabase);
  // One connection, so that each statement follows the one before.
  const db = fixtureEach(() => openDatabase({ url: database.url, poolSize: 1, models: [] }));

  beforeEach(async () => {
    await db.change('CREATE TABLE noted (number int, note_text text)');
    await db.change(`INSERT INTO noted VALUES (1, 'one'), (2, 'two')`);
  });

  const read = (number: number) =>
    db.prepared<{ noteText: string }>('SELECT note_text FROM noted WHERE number = $number', { number });
  const preparations = async (): Promise<number> =>
    (await db.rows('SELECT 1 FROM pg_prepared_statements WHERE statement LIKE $like', { like: '%FROM noted%' })).length;

  it('is planned by the server once', async () => {
    expect(await read(1)).to.deep.equal([{ noteText: 'one' }]);
    expect(await read(2)).to.deep.equal([{ noteText: 'two' }]);
    expect(await preparations()).to.equal(1);
  });

  it('runs without a plan, and no further one is prepared, where the server does not know its name: behind a pooler', async () => {
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

  it('rejects with errors of its own', async () => {
    const error = await read('x' as unknown as number).catch((thrown: unknown) => thrown);
    expect(error).to.have.nested.property('original.code', '22P02');
    expect(await read(1)).to.have.length(1);
  });
});
