/** As `Promise.all`, but rejects only when all have ended: after the error nothing of them runs on, beyond a lease or a limit. */
export async function allEnded<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
