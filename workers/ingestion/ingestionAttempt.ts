import type { Content } from '../../shared/content/content.model.js';
import type { ArrivingFile } from './arrivingFile.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** An attempt that holds the ingestion lease. */
export interface IngestionAttempt {
  readonly run: JobRun<unknown>;
  readonly content: Content;
  readonly leaseOwner: string;
  /** The source, if it is being uploaded. */
  readonly arriving?: ArrivingFile;
  /** A temporary folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** 0..1 */
  readonly onProgress: (share: number) => void;
  /** Renews the lease. Resolves with false if it was lost. */
  readonly isHeld: () => Promise<boolean>;
  /** Called when the attempt starts to plan the encoding. */
  readonly onPreparing: () => void;
}
