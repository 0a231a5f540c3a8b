import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of these, how many are still in memory after a garbage collection. */
export async function countKept(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // A reference is kept until the turn of the event loop that has made it is over.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return references.filter((reference) => reference.deref() !== undefined).length;
}
