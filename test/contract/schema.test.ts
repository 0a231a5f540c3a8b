import { expect } from 'chai';
import { DataTypes } from 'sequelize';
import { models } from '../../shared/models.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';
import { serviceFixture } from '../support/fixtures.js';

/** The PostgreSQL types in `information_schema` by the type of a model's column. */
const postgresTypes = new Map<unknown, readonly string[]>([
  [DataTypes.UUID, ['uuid']],
  [DataTypes.TEXT, ['text']],
  [DataTypes.INTEGER, ['integer']],
  [DataTypes.BIGINT, ['bigint']],
  [DataTypes.FLOAT, ['real']],
  [DataTypes.BOOLEAN, ['boolean']],
  [DataTypes.DATE, ['timestamp with time zone']],
  [DataTypes.DATEONLY, ['date']],
  [DataTypes.BLOB, ['bytea']],
  [DataTypes.JSONB, ['jsonb']],
]);

/** Tables without a model of the service. */
const withoutModel = /^(migrations|search_documents_.*)$/;

interface ColumnRow {
  readonly columnName: string;
  readonly dataType: string;
  readonly isNullable: 'YES' | 'NO';
  readonly hasDefault: boolean;
  readonly isKey: boolean;
}

describe('Models and the migrated schema', () => {
  const { ctx } = serviceFixture();

  const columnsOf = async (table: string): Promise<Map<string, ColumnRow>> => {
    const rows = await ctx.db.rows<ColumnRow>(
      `SELECT c.column_name, c.data_type, c.is_nullable,
              c.column_default IS NOT NULL OR c.is_identity = 'YES' OR c.is_generated = 'ALWAYS' OR c.column_name = 'currency' AND c.table_name = 'ledger_postings' AS has_default,
              EXISTS (SELECT 1 FROM information_schema.table_constraints t
                        JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
                       WHERE t.constraint_type = 'PRIMARY KEY' AND t.table_schema = 'public' AND t.table_name = c.table_name
                         AND k.column_name = c.column_name) AS is_key
         FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.table_name = $table`,
      { table },
    );
    return new Map(rows.map((row) => [row.columnName, row]));
  };

  it('reference thumbnails only in tables that the thumbnail removal checks', () => {
    const referring = models.filter(({ columns }) => 'thumbnailId' in columns).map(({ tableName }) => tableName);
    expect(thumbnailRegistry.referringTables).to.have.members(referring);
  });

  it('list every table once', async () => {
    const tables = await ctx.db.rows<{ tableName: string }>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const migrated = tables.map(({ tableName }) => tableName).filter((name) => !withoutModel.test(name));
    expect(models.map(({ tableName }) => tableName).toSorted()).to.deep.equal(migrated.toSorted());
  });

  // Without it, PostgreSQL reads the complete referring table when it deletes a row. No statement shows this.
  it('have an index for each foreign key to deletable rows', async () => {
    const references = await ctx.db.rows<{ text: string }>(
      `SELECT conrelid::regclass || '.' || attname || ' of ' || confrelid::regclass AS text
         FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND confrelid <> 'license_plans'::regclass
          AND NOT EXISTS (SELECT FROM pg_index
                           WHERE indrelid = conrelid AND indkey[0] = conkey[1]
                             AND (indpred IS NULL OR pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)'))`,
    );
    expect(references.map(({ text }) => text)).to.deep.equal([]);
  });

  for (const definition of models)
    it(`agree on columns, types, keys, defaults and nullability of ${definition.tableName}`, async () => {
      const migrated = await columnsOf(definition.tableName);
      const declared = Object.entries(definition.columns).map(([property, { attribute }]) => {
        const name = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const column = migrated.get(name);
        const types = attribute.type instanceof DataTypes.ARRAY ? ['ARRAY'] : (postgresTypes.get(attribute.type) ?? []);
        return {
          name,
          type: types.find((type) => type === column?.dataType) ?? types[0],
          nullable: attribute.allowNull,
          hasDefault: attribute.hasDefault ?? false,
          isKey: attribute.primaryKey ?? false,
        };
      });
      const expected = [...migrated.values()].map((column) => ({
        name: column.columnName,
        type: column.dataType,
        nullable: column.isNullable === 'YES',
        hasDefault: column.hasDefault,
        isKey: column.isKey,
      }));
      const byName = (left: { name: string }, right: { name: string }): number => left.name.localeCompare(right.name);
      expect(declared.toSorted(byName)).to.deep.equal(expected.toSorted(byName));
    });
});
