import { expect } from 'chai';
import { readSource, sourcesBelow } from '../support/sources.js';

const patterns: readonly RegExp[] = [
  /\bdb\s*\.\s*(rows|change|model|sequelize)\b/g,
  /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/g,
];

/** Every use of the database in a source file other than opening a transaction. */
function databaseUses(source: string): string[] {
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([use]) => use));
}

describe('workers', () => {
  it('hold no SQL and use no model: services of shared change and read the rows', () => {
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
    it(`a use of the database is found: ${planted.replaceAll(/\s+/g, ' ')}`, () =>
      expect(databaseUses(planted)).to.have.length(1));

  it('may open a transaction', () =>
    expect(databaseUses('return ctx.db.transaction(async (tx) => planContent(ctx, tx, content));')).to.deep.equal([]));
});
