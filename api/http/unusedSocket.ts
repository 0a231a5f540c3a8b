import { once } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** Removes the stale unix socket of a killed process. Does not remove a socket with a listening process, or any other file. */
export async function removeUnusedSocket(path: string): Promise<void> {
  const connection = withErrorListener(createConnection(path));
  try {
    await once(connection, 'connect');
  } catch (error) {
    const isUnused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    // Regular files refuse connections too.
    if (isUnused && (await lstat(path)).isSocket()) await rm(path, { force: true });
  } finally {
    connection.destroy();
  }
}
