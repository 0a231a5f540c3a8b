import { databaseTimer } from '../../../shared/platform/database/databaseTime.js';
import type { PackageOptions } from './packageOptions.js';
import { RunPackager } from './runPackager.js';

/**
 * Packages the media of a publication into segments until its source ends: each segment is encoded in all renditions, stored, then
 * listed; the last one may be shorter. Resolves with the reason of the end, for the log and the owner. Rejects only on programming
 * errors. Closes the source at the end.
 */
export async function packageRun(options: PackageOptions): Promise<{ reason: string }> {
  return new RunPackager(options, await databaseTimer(options.ctx)).run();
}
