/** Notes how something is closed that was just opened. */
export type OnClose = (close: () => unknown) => void;

export interface Closable {
  /** Closes everything, last in first out, once. Where one of them fails, the others are closed too, and this rejects. */
  close(): Promise<void>;
}

/**
 * Opens several things, one after the other, and adds to the result the function that closes them all. Where opening fails half
 * way, what was opened until then is closed, and this rejects with the error.
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
    // The first failure is the useful one.
    await closeAll().catch(() => {});
    throw error;
  }
}
