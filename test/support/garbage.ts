import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The number of these objects that are still in memory after a garbage collection. */
export async function countKept(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // WeakRef keeps an object until the end of the event loop iteration that created the reference.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return references.filter((reference) => reference.deref() !== undefined).length;
}
