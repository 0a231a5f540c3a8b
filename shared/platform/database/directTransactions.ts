import type { Sequelize, Transaction } from 'sequelize';
import type { DirectQuery } from './directQuery.js';

/** What Sequelize itself knows of a transaction. */
interface Internals {
  /** One inside another is a savepoint. */
  readonly parent?: Transaction;
  /** Once it is set, Sequelize takes no further statement of the transaction. */
  finished?: 'commit' | 'rollback';
  /** It calls them after a COMMIT that failed too. */
  _afterCommitHooks: unknown[];
}

/**
 * Begins and ends transactions by the direct way too: `sequelize.query` takes longer over these words than the server.
 * All else of a transaction stays Sequelize's: its connection, its hooks, what becomes of both when a word fails.
 */
export function sendTransactionsDirectly(sequelize: Sequelize, query: DirectQuery): void {
  const sender = sequelize.getQueryInterface();
  const startTransaction = sender.startTransaction.bind(sender);
  const commitTransaction = sender.commitTransaction.bind(sender);
  const rollbackTransaction = sender.rollbackTransaction.bind(sender);
  sender.startTransaction = async (tx, options) => {
    if (isNested(tx)) await startTransaction(tx, options);
    else await query('START TRANSACTION', {}, tx);
  };
  sender.commitTransaction = async (tx, options) => {
    if (isNested(tx)) return commitTransaction(tx, options);
    await commit(tx, query);
  };
  sender.rollbackTransaction = async (tx, options) => {
    if (isNested(tx)) return rollbackTransaction(tx, options);
    (tx as unknown as Internals).finished = 'rollback';
    await query('ROLLBACK', {}, tx);
  };
}

/** Throws also where the server rolls back instead: a statement was refused, and nobody has thrown over that. */
async function commit(tx: Transaction, query: DirectQuery): Promise<void> {
  const internals = tx as unknown as Internals;
  internals.finished = 'commit';
  try {
    const { command } = await query('COMMIT', {}, tx);
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements was refused');
  } catch (error) {
    internals._afterCommitHooks = [];
    throw error;
  }
}

function isNested(tx: Transaction): boolean {
  return (tx as unknown as Internals).parent !== undefined;
}
