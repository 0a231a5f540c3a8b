import { mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { createPrivateFolder } from './fileAccess.js';

/** Where workers keep what they work on: sources of an object store, and what ffmpeg writes. */
export function workFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'media');
}

/** Throws where nothing can be created there. */
export async function checkWorkFolder(config: Pick<Config, 'dataDir'>): Promise<void> {
  const folder = workFolder(config);
  await createPrivateFolder(folder);
  await rmdir(await mkdtemp(join(folder, 'check-')));
}
