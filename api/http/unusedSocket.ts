import { once } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** Removes the unix socket that a killed process has left. One at which somebody listens stays, and so does any other file. */
export async function removeUnusedSocket(path: string): Promise<void> {
  const connection = withErrorListener(createConnection(path));
  try {
    await once(connection, 'connect');
  } catch (error) {
    const isUnused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    // Files that are no sockets refuse connections too.
    if (isUnused && (await lstat(path)).isSocket()) await rm(path, { force: true });
  } finally {
    connection.destroy();
  }
}
