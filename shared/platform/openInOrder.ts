/** Registers the function that closes a resource just opened. */
export type OnClose = (close: () => unknown) => void;

export interface Closable {
  /** Closes everything once, last in first out. If a close fails, the others still run, and this rejects. */
  close(): Promise<void>;
}

/**
 * Opens several resources in order, and adds a function to the result that closes them all. If opening fails, the resources
 * opened so far are closed, and this rejects with the error.
 */
export async function openInOrder<Parts extends object>(
  open: (onClose: OnClose) => Promise<Parts>,
): Promise<Parts & Closable> {
  const closings: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of closings.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  let closing: Promise<void> | undefined;
  try {
    const opened = await open((close) => closings.push(close));
    return Object.assign(opened, { close: () => (closing ??= closeAll()) });
  } catch (error) {
    // The error of opening is the useful one.
    await closeAll().catch(() => {});
    throw error;
  }
}
