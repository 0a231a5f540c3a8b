/**
 * Like `Promise.all`, but rejects only after all promises have settled: no work continues after the error, beyond a lease or a
 * limit.
 */
export async function allEnded<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
