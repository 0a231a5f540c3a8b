import type { Config } from '../config.js';
import { bindModel, type BoundModel } from './boundModel.js';
import { retryConflicts, type OnConflict } from './conflicts.js';
import { openConnections, type PoolState } from './connections.js';
import type { ModelDefinition } from './model.js';
import { createPreparing } from './preparing.js';
import type { StatementBounds } from './statementBounds.js';
import { createStatementRunner, type StatementResult } from './statements.js';
import { connectionOf, runTransaction, type Transaction } from './transaction.js';

export type { Transaction } from './transaction.js';
export type { StatementBounds } from './statementBounds.js';

/**
 * The one way to PostgreSQL: models for the rows of one table that have certain values, SQL for conditional transitions,
 * sets and joins. Both see the same transactions.
 */
export interface Database {
  /** The model of a table, bound to this database. Throws where the table is not listed in `shared/models.ts`. */
  model<Definition extends ModelDefinition>(definition: Definition): BoundModel<Definition['columns']>;
  /**
   * Runs `work` in one transaction, which is passed on explicitly; commits when it resolves, rolls back when it throws.
   * `afterCommit` hooks of the transaction run only after a successful commit. Where PostgreSQL rolls it back because of
   * others (a deadlock), `work` runs again in a new transaction: it changes nothing but the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Rows of a parametrised query (`$name` binds). Columns in snake case become properties in camel case (`owner_id` is
   * `ownerId`), bigint becomes number. `bounds` limit this statement more than `statement_timeout` of the connection
   * does: `{ timeoutMs: 2_000, signal }` cancels it on the server after two seconds, or when the caller disconnects
   * (`signal` of the request). They cost nothing before that. Rejects with the reason of the signal, or with an error
   * that `isStatementCancelled` knows; in a transaction, nothing else can run in it then.
   */
  rows<Row extends object>(
    sql: string,
    bind?: Record<string, unknown>,
    tx?: Transaction,
    bounds?: StatementBounds,
  ): Promise<Row[]>;
  /**
   * As `rows`, for a statement that runs often and whose best plan does not depend on its values, such as a read by key: the
   * server plans it once for each connection. Behind a pooler that does not support prepared statements it is the same as `rows`.
   */
  prepared<Row extends object>(sql: string, bind?: Record<string, unknown>): Promise<Row[]>;
  /** Number of rows that a parametrised INSERT, UPDATE or DELETE has changed. */
  change(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<number>;
  /** The same, with all statements in this transaction: for reads that are written without one. */
  inside(tx: Transaction): Database;
  /** The pool of connections as it is now. */
  poolState(): PoolState;
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly models: readonly ModelDefinition[];
  /** The server cancels statements that take longer. 0 or absent: no limit. */
  readonly statementTimeoutMs?: number;
  /** Called where a transaction was rolled back because of others. */
  readonly onConflict?: OnConflict;
}

/**
 * The `statement_timeout` of a process; 0: none. Requests of a web process wait for their statements, while jobs have
 * long ones. Scripts have no limit, and migrations use a connection of their own.
 */
export function statementTimeoutMsOf({ process, database }: Config): number {
  if (process === 'script') return 0;
  return 1_000 * (process === 'web' ? database.statementTimeoutSeconds : database.workerStatementTimeoutSeconds);
}

/** Opens a pool and binds the models to it. The server need not be reachable: each statement then fails. */
export function openDatabase(options: DatabaseOptions): Database {
  const connections = openConnections(options);
  const run = createStatementRunner();
  const prepared = createPreparing();
  const retried = <Result>(work: () => Promise<Result>): Promise<Result> =>
    retryConflicts(work, options.onConflict ?? (() => {}));
  // A statement outside of a transaction is one of its own.
  const runAnywhere = async (
    sql: string,
    bind: Readonly<Record<string, unknown>> = {},
    tx?: Transaction,
    bounds?: StatementBounds,
  ): Promise<StatementResult> =>
    tx
      ? run(connectionOf(tx), sql, bind, { bounds })
      : retried(() => connections.use((client) => run(client, sql, bind, { bounds })));
  const runPrepared = (sql: string, bind: Readonly<Record<string, unknown>> = {}): Promise<StatementResult> =>
    connections.use((client) => prepared((isPrepared) => run(client, sql, bind, { isPrepared })));
  const models = new Map(options.models.map((definition) => [definition, bindModel(definition, runAnywhere)]));
  const database: Database = {
    model(definition) {
      const model = models.get(definition);
      if (!model) throw new Error(`${definition.tableName} is not listed in shared/models.ts`);
      return model;
    },
    transaction: (work) => retried(() => runTransaction(connections, run, work)),
    rows: async (sql, bind, tx, bounds) => (await runAnywhere(sql, bind, tx, bounds)).rows as never,
    prepared: async (sql, bind) => (await runPrepared(sql, bind)).rows as never,
    change: async (sql, bind, tx) => (await runAnywhere(sql, bind, tx)).rowCount ?? 0,
    inside: (tx) => insideTransaction(database, tx, runAnywhere),
    poolState: () => connections.state(),
    close: () => connections.close(),
  };
  return database;
}

/** The statements run one after the other, also where they were started together: a connection takes one at a time. */
function insideTransaction(
  database: Database,
  tx: Transaction,
  run: (sql: string, bind: Readonly<Record<string, unknown>>, tx: Transaction) => Promise<StatementResult>,
): Database {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (sql: string, bind: Readonly<Record<string, unknown>> = {}): Promise<StatementResult> => {
    const result = last.then(() => run(sql, bind, tx));
    last = result.catch(() => {});
    return result;
  };
  const inside: Database = {
    ...database,
    model: (definition) => bindModel(definition, inTurn) as never,
    transaction: (work) => work(tx),
    rows: async (sql, bind) => (await inTurn(sql, bind)).rows as never,
    prepared: async (sql, bind) => (await inTurn(sql, bind)).rows as never,
    change: async (sql, bind) => (await inTurn(sql, bind)).rowCount ?? 0,
    inside: () => inside,
  };
  return inside;
}
