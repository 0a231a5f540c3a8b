import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '../../shared/platform/context.js';

/** A transaction, with the work that it runs. */
interface RunningTransaction {
  isOver: boolean;
}

const transactions = new AsyncLocalStorage<RunningTransaction>();
const faults: string[] = [];

/** Calls that reach the store. */
const calls = ['put', 'putFile', 'copy', 'stat', 'read', 'fetch', 'remove', 'removeAll', 'list'] as const;

/**
 * Makes every call of the storage inside a transaction a fault of the present test (`rootHooks.ts`): a store that hangs would hold
 * the locks and the connection.
 */
export function forbidStorageInTransactions({ db, storage }: Pick<Context, 'db' | 'storage'>): void {
  const begin = db.transaction.bind(db);
  const transaction: typeof begin = (work) => {
    const running = { isOver: false };
    return begin((tx) => transactions.run(running, () => work(tx))).finally(() => (running.isOver = true));
  };
  Object.assign(db, { transaction });
  for (const name of calls) {
    const call = storage[name] as (...parameters: unknown[]) => unknown;
    const recorded = (...parameters: unknown[]): unknown => {
      const running = transactions.getStore();
      if (running && !running.isOver)
        faults.push(new Error(`storage.${name} is called inside a transaction`).stack ?? '');
      return call.apply(storage, parameters);
    };
    Object.assign(storage, { [name]: recorded });
  }
}

/** The calls since the last time. */
export function takeStorageFaults(): string[] {
  return faults.splice(0);
}
