import type { Transaction } from './database.js';
import type { PooledClient, Connections } from './connections.js';
import type { RunOnClient } from './statements.js';

const clients = new WeakMap<Transaction, PooledClient>();

/** The connection of a transaction. One that is over has given it back: its statements must not run on another's. */
export function connectionOf(tx: Transaction): PooledClient {
  const client = clients.get(tx);
  if (!client) throw new Error('the transaction is over');
  return client;
}

/** Commits when `work` resolves, rolls back when it throws. Then gives the connection back, and runs the hooks. */
export async function runTransaction<Result>(
  connections: Connections,
  run: RunOnClient,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const hooks: (() => unknown)[] = [];
  const tx: Transaction = { afterCommit: (hook) => void hooks.push(hook) };
  const result = await connections.use(async (client) => {
    await run(client, 'START TRANSACTION', {});
    clients.set(tx, client);
    try {
      const worked = await work(tx);
      clients.delete(tx);
      await commit(client, run);
      return worked;
    } catch (error) {
      // After a COMMIT that failed there is nothing to roll back.
      if (clients.delete(tx)) await run(client, 'ROLLBACK', {}).catch(() => {});
      throw error;
    }
  });
  for (const hook of hooks) await hook();
  return result;
}

/** Also throws where the server answers COMMIT with ROLLBACK: a statement had failed, and nobody threw its error. */
async function commit(client: PooledClient, run: RunOnClient): Promise<void> {
  const { command } = await run(client, 'COMMIT', {});
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements has failed');
}
