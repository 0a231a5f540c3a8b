/** What a promise rejects with; throws if it does not reject. */
export async function rejection(work: Promise<unknown>): Promise<Error> {
  let result: unknown;
  try {
    result = await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error(`nothing was refused: ${JSON.stringify(result)}`);
}
