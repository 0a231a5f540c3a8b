import type { Content } from '../../shared/content/content.model.js';
import type { ArrivingFile } from './arrivingFile.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** An attempt that holds the lease of ingestion. */
export interface IngestionAttempt {
  readonly run: JobRun<unknown>;
  readonly content: Content;
  readonly leaseOwner: string;
  /** The source, where it still arrives. */
  readonly arriving?: ArrivingFile;
  /** A temporary folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** 0..1 */
  readonly onProgress: (share: number) => void;
  /** Renews the lease. False where it has been lost. */
  readonly isHeld: () => Promise<boolean>;
  /** The encoding is planned from here on. */
  readonly onPreparing: () => void;
}
