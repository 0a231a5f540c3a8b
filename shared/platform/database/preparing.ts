/** A pooler has given us a connection of the server that does not know the name of a statement, or knows it already. */
const unknownNameCodes = ['26000', '42P05'];
/** A migration has changed a column of the result. */
const changedResultCode = '0A000';

/**
 * Returns a function that runs a prepared statement, outside of transactions. Where it cannot be prepared, it is run again as any
 * other statement; behind a pooler that does not support prepared statements, so are all others from then on.
 */
export function createPreparing(): <Result>(run: (isPrepared: boolean) => Promise<Result>) => Promise<Result> {
  let canPrepare = true;
  return async (run) => {
    try {
      return await run(canPrepare);
    } catch (error) {
      const code = (error as { original?: { code?: string } }).original?.code ?? '';
      if (unknownNameCodes.includes(code)) canPrepare = false;
      else if (code !== changedResultCode) throw error;
      return run(false);
    }
  };
}
