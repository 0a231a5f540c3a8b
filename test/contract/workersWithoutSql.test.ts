import { expect } from 'chai';
import { readSource, sourcesBelow } from '../support/sources.js';

const patterns: readonly RegExp[] = [
  /\bdb\s*\.\s*(rows|change|model|sequelize)\b/g,
  /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/g,
];

/** Every database access in a source file except the start of a transaction. */
function databaseUses(source: string): string[] {
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([use]) => use));
}

describe('workers', () => {
  it('contain no SQL and use no model, because services in shared access the rows', () => {
    const files = sourcesBelow('workers');
    expect(files).to.not.be.empty;
    const found = files.flatMap((file) => databaseUses(readSource(file)).map((use) => `${file}: ${use}`));
    expect(found).to.deep.equal([]);
  });

  for (const planted of [
    'await ctx.db.rows(statement);',
    'await ctx.db\n    .change(statement, binds, tx);',
    'await ctx.db.model(Content).findByPk(id);',
    'await run(`\n  SELECT id FROM contents`);',
    "const statement = 'UPDATE contents SET state = 1';",
  ])
    it(`are checked against database access: ${planted.replaceAll(/\s+/g, ' ')}`, () =>
      expect(databaseUses(planted)).to.have.length(1));

  it('may start a transaction', () =>
    expect(databaseUses('return ctx.db.transaction(async (tx) => planContent(ctx, tx, content));')).to.deep.equal([]));
});
