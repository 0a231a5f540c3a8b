import type { Transaction } from './database.js';
import type { PooledClient, Connections } from './connections.js';
import type { RunOnClient } from './statements.js';

const clients = new WeakMap<Transaction, PooledClient>();

/** The connection of a transaction. Throws after its end, because its connection may already run another transaction. */
export function connectionOf(tx: Transaction): PooledClient {
  const client = clients.get(tx);
  if (!client) throw new Error('the transaction has ended');
  return client;
}

/** Commits when `work` resolves, rolls back when it throws. Then returns the connection to the pool, and runs the hooks. */
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
      // After a failed COMMIT there is nothing to roll back.
      if (clients.delete(tx)) await run(client, 'ROLLBACK', {}).catch(() => {});
      throw error;
    }
  });
  for (const hook of hooks) await hook();
  return result;
}

/** Also throws if the server answers COMMIT with ROLLBACK: a statement had failed, and its error was caught. */
async function commit(client: PooledClient, run: RunOnClient): Promise<void> {
  const { command } = await run(client, 'COMMIT', {});
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
}
