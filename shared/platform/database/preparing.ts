/** The pooler has assigned a server connection that does not know the statement's name, or already has it. */
const unknownNameCodes = ['26000', '42P05'];
/** A migration has changed a result column. */
const changedResultCode = '0A000';

/**
 * Returns a function that runs a prepared statement, outside of transactions. A statement that cannot be prepared runs again
 * unprepared. Behind a pooler without support for prepared statements, all later statements run unprepared.
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
