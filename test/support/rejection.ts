/** The error with which a promise rejects; throws if it resolves. */
export async function rejection(work: Promise<unknown>): Promise<Error> {
  let result: unknown;
  try {
    result = await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error(`the promise resolved: ${JSON.stringify(result)}`);
}
