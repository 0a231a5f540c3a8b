import type { Database } from './database.js';
import type { Config } from '../config.js';
import { retryConflicts, type OnConflict } from './conflicts.js';
import { openConnections } from './connections.js';
import type { ModelDefinition } from './model.js';
import { createPreparing } from './preparing.js';
import { createStatementRunner } from './statements.js';
import { statementsOn } from './statementsOn.js';
import { connectionOf, runTransaction } from './transaction.js';

interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly models: readonly ModelDefinition[];
  /** The server cancels longer statements. 0 or absent: no limit. */
  readonly statementTimeoutMs?: number;
  /** Called if a transaction was rolled back because of a deadlock or a serialization failure. */
  readonly onConflict?: OnConflict;
}

/**
 * The `statement_timeout` of a process; 0: none. In a web process requests wait for their statements, while jobs run long ones.
 * Scripts have no limit, and migrations use a connection of their own.
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
  // A statement outside of a transaction is a transaction of its own.
  const runAnywhere: Database['run'] = async (sql, bind = {}, tx, bounds) =>
    tx
      ? run(connectionOf(tx), sql, bind, { bounds })
      : retried(() => connections.use((client) => run(client, sql, bind, { bounds })));
  const runPrepared: Database['runPrepared'] = (sql, bind = {}) =>
    connections.use((client) => prepared((isPrepared) => run(client, sql, bind, { isPrepared })));
  return {
    ...statementsOn(runAnywhere, runPrepared, options.models),
    transaction: (work) => retried(() => runTransaction(connections, run, work)),
    poolState: () => connections.state(),
    close: () => connections.close(),
  };
}
