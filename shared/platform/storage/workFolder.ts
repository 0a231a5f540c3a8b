import { mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { createPrivateFolder } from './fileAccess.js';

/** Folder for the work in progress of workers: sources from an object store, and ffmpeg's output. */
export function workFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'media');
}

/** Throws if the folder is not writable. */
export async function checkWorkFolder(config: Pick<Config, 'dataDir'>): Promise<void> {
  const folder = workFolder(config);
  await createPrivateFolder(folder);
  await rmdir(await mkdtemp(join(folder, 'check-')));
}
