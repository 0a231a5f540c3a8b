import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/** Three levels up from dist/test/contract. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

const patterns: readonly RegExp[] = [
  /\bdb\s*\.\s*(rows|change|model|sequelize)\b/g,
  /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/g,
];

/** Every use of the database in a source file other than opening a transaction. */
function databaseUses(source: string): string[] {
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([use]) => use));
}

describe('workers', () => {
  it('hold no SQL and use no model: services of shared change and read the rows', async () => {
    const names = await readdir(join(root, 'workers'), { recursive: true });
    const sources = names.filter((name) => name.endsWith('.ts'));
    expect(sources).to.not.be.empty;
    const found = await Promise.all(
      sources.map(async (name) =>
        databaseUses(await readFile(join(root, 'workers', name), 'utf8')).map((use) => `${name}: ${use}`),
      ),
    );
    expect(found.flat()).to.deep.equal([]);
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

  it('may open a transaction', () => {
    expect(databaseUses('return ctx.db.transaction(async (tx) => planContent(ctx, tx, content));')).to.deep.equal([]);
  });
});
