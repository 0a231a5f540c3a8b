import { databaseTimer } from '../../../shared/platform/database/databaseTime.js';
import type { PackageOptions } from './packageOptions.js';
import { RunPackager } from './runPackager.js';

/**
 * Makes segments of what an encoder publishes, until its source ends: each in all renditions, stored, then listed; the last
 * one is shorter. Resolves with the reason of the end, for the log and the owner. Rejects on errors of our own only. The
 * source is closed at the end.
 */
export async function packageRun(options: PackageOptions): Promise<{ reason: string }> {
  return new RunPackager(options, await databaseTimer(options.ctx)).run();
}
