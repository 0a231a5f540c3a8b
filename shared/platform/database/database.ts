import { Sequelize, type ModelStatic, type Model, type Transaction } from 'sequelize';
import { createDirectQuery } from './directQuery.js';
import { sendTransactionsDirectly } from './directTransactions.js';
import type { Logger } from '../log.js';

export type { Transaction } from 'sequelize';

/** A model of ours: ties its table to a connection. Listed in `shared/models.ts`. */
export interface ModelDefinition {
  readonly name: string;
  attach(sequelize: Sequelize): ModelStatic<Model>;
}

export interface Database {
  readonly sequelize: Sequelize;
  /**
   * Runs `work` in one transaction, which it passes on explicitly; commits when it resolves, rolls back
   * when it throws. `afterCommit` of the transaction runs only after the commit has succeeded.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Rows of a parametrised query (`$name` binds). */
  rows<Row extends object>(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<Row[]>;
  /** How many rows a parametrised INSERT, UPDATE or DELETE has changed. */
  change(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<number>;
  close(): Promise<void>;
}

/** Opens a pool and ties the models to it. The server may be away: each query then fails by itself. */
export function openDatabase(options: {
  url: string;
  poolSize: number;
  log: Logger;
  models: readonly ModelDefinition[];
}): Database {
  const sequelize = new Sequelize(options.url, {
    dialect: 'postgres',
    logging: false,
    pool: { max: options.poolSize, min: 0, acquire: 15_000, idle: 30_000 },
    define: { underscored: true, timestamps: false },
    retry: { max: 0 },
  });
  for (const model of options.models) model.attach(sequelize);
  const query = createDirectQuery(sequelize);
  sendTransactionsDirectly(sequelize, query);
  return {
    sequelize,
    transaction: (work) => sequelize.transaction(work),
    rows: async (sql, bind = {}, tx) => (await query(sql, bind, tx)).rows as never,
    change: async (sql, bind = {}, tx) => (await query(sql, bind, tx)).rowCount ?? 0,
    close: () => sequelize.close(),
  };
}
