import type { Config } from '../config.js';
import { retryConflicts, type OnConflict } from './conflicts.js';
import { openConnections, type PoolState } from './connections.js';
import type { ModelDefinition } from './model.js';
import { createPreparing } from './preparing.js';
import { createStatementRunner } from './statements.js';
import { statementsOn, type Statements } from './statementsOn.js';
import { connectionOf, runInSavepoint, runTransaction, type Transaction } from './transaction.js';

export type { Transaction } from './transaction.js';
export type { StatementBounds } from './statementBounds.js';

/**
 * The one way to PostgreSQL: models for the rows of one table that have certain values, SQL for conditional transitions,
 * sets and joins. Both see the same transactions.
 */
export interface Database extends Statements {
  /**
   * Runs `work` in one transaction, which is passed on explicitly; commits when it resolves, rolls back when it throws.
   * `afterCommit` hooks of the transaction run only after a successful commit. Where PostgreSQL rolls it back because of
   * others (a deadlock), `work` runs again in a new transaction: it changes nothing but the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Runs reads that are written without a transaction in `tx`: all statements of `inside` belong to it, until `work` ends. If `work` rejects,
   * what it has done is undone (a savepoint), and the transaction continues.
   */
  attempt<Result>(tx: Transaction, work: (inside: Database) => Promise<Result>): Promise<Result>;
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
  const runAnywhere: Database['run'] = async (sql, bind = {}, tx, bounds) =>
    tx
      ? run(connectionOf(tx), sql, bind, { bounds })
      : retried(() => connections.use((client) => run(client, sql, bind, { bounds })));
  const runPrepared: Database['runPrepared'] = (sql, bind = {}) =>
    connections.use((client) => prepared((isPrepared) => run(client, sql, bind, { isPrepared })));
  const database: Database = {
    ...statementsOn(runAnywhere, runPrepared, options.models),
    transaction: (work) => retried(() => runTransaction(connections, run, work)),
    attempt: (tx, work) =>
      runInSavepoint(tx, run, async () => {
        const { inside, end } = insideTransaction(database, tx, runAnywhere);
        try {
          return await work(inside);
        } finally {
          await end();
        }
      }),
    poolState: () => connections.state(),
    close: () => connections.close(),
  };
  return database;
}

/**
 * The statements run one after the other, also where they were started together: a connection takes one at a time. After `end`, none
 * begins: work that has failed may have left others, which must not run in what follows.
 */
function insideTransaction(
  database: Database,
  tx: Transaction,
  run: Database['run'],
): { inside: Database; end: () => Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const inTurn: Database['runPrepared'] = (sql, bind) => {
    const result = last.then(() => {
      if (isOver) throw new Error('the work of this statement is over');
      return run(sql, bind, tx);
    });
    last = result.catch(() => {});
    return result;
  };
  const inside: Database = {
    ...database,
    ...statementsOn(inTurn, inTurn),
    transaction: (work) => work(tx),
    attempt: (_tx, work) => work(inside),
  };
  return {
    inside,
    async end() {
      isOver = true;
      await last;
    },
  };
}
