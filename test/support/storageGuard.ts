import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '../../shared/platform/context.js';

/** A running transaction. */
interface RunningTransaction {
  isOver: boolean;
}

const transactions = new AsyncLocalStorage<RunningTransaction>();
const faults: string[] = [];

/** The calls that reach the store. */
const calls = ['put', 'putFile', 'copy', 'stat', 'read', 'fetch', 'remove', 'removeAll', 'list'] as const;

/**
 * Makes every storage call inside a transaction an error of the current test (`rootHooks.ts`): a hanging store would hold
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

/** The errors since the previous call. */
export function takeStorageFaults(): string[] {
  return faults.splice(0);
}
