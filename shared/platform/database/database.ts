import { Sequelize, type Transaction } from 'sequelize';
import { bindModel, type BoundModel, type ModelDefinition } from './model.js';
import { runStatementsDirectly } from './sequelizeInternals.js';

export type { Transaction } from 'sequelize';

/**
 * The one way to PostgreSQL: models for inserting and for finding by key, SQL for conditional transitions, sets and
 * joins. Both see the same transactions.
 */
export interface Database {
  readonly sequelize: Sequelize;
  /**
   * The Sequelize model of a table, bound to this database. Throws where the table is not listed in `shared/models.ts`.
   */
  model<Definition extends ModelDefinition>(definition: Definition): BoundModel<Definition['columns']>;
  /**
   * Runs `work` in one transaction, which is passed on explicitly; commits when it resolves, rolls back when it throws.
   * `afterCommit` hooks of the transaction run only after a successful commit.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Rows of a parametrised query (`$name` binds). Columns in snake case become properties in camel case (`owner_id` is
   * `ownerId`), bigint becomes number.
   */
  rows<Row extends object>(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<Row[]>;
  /** Number of rows that a parametrised INSERT, UPDATE or DELETE has changed. */
  change(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<number>;
  close(): Promise<void>;
}

/** Opens a pool and binds the models to it. The server need not be reachable: each statement then fails. */
export function openDatabase(options: { url: string; poolSize: number; models: readonly ModelDefinition[] }): Database {
  const sequelize = new Sequelize(options.url, {
    dialect: 'postgres',
    logging: false,
    pool: { max: options.poolSize, min: 0, acquire: 15_000, idle: 30_000 },
    retry: { max: 0 },
  });
  const models = new Map(options.models.map((definition) => [definition, bindModel(sequelize, definition)]));
  const run = runStatementsDirectly(sequelize);
  return {
    sequelize,
    model(definition) {
      const model = models.get(definition);
      if (!model) throw new Error(`${definition.tableName} is not listed in shared/models.ts`);
      return model as never;
    },
    transaction: (work) => sequelize.transaction(work),
    rows: async (sql, bind = {}, tx) => (await run(sql, bind, tx)).rows as never,
    change: async (sql, bind = {}, tx) => (await run(sql, bind, tx)).rowCount ?? 0,
    close: () => sequelize.close(),
  };
}
