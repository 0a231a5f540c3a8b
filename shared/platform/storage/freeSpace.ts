import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bytes that this process may still write to the disk of a folder, which may not exist yet. */
export async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return freeBytesOf(dirname(folder));
  }
}
