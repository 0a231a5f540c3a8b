import type { Database, Transaction } from './database.js';
import type { Config } from '../config.js';
import { retryConflicts, type OnConflict } from './conflicts.js';
import { openConnections } from './connections.js';
import type { ModelDefinition } from './model.js';
import { createPreparing } from './preparing.js';
import { createStatementRunner } from './statements.js';
import { statementsOn } from './statementsOn.js';
import { connectionOf, runInSavepoint, runTransaction } from './transaction.js';

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
