/** Runs promises concurrently with one signal. If one fails, the others are aborted, and have ended before this rejects. */
export async function allAtOnce<Results extends readonly unknown[]>(
  signal: AbortSignal,
  begin: (signal: AbortSignal) => { readonly [Index in keyof Results]: Promise<Results[Index]> },
): Promise<Results> {
  const failed = new AbortController();
  const all = begin(AbortSignal.any([signal, failed.signal])) as readonly Promise<unknown>[];
  for (const one of all) one.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(all);
  failed.signal.throwIfAborted();
  return (await Promise.all(all)) as readonly unknown[] as Results;
}
