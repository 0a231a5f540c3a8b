import type { Content } from '../../shared/content/content.model.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** An attempt that holds the lease of ingestion. */
export interface IngestionAttempt {
  readonly run: JobRun<unknown>;
  readonly content: Content;
  readonly leaseOwner: string;
  /** A temporary folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** 0..1 */
  readonly onProgress: (share: number) => void;
  /** The encoding is planned from here on. */
  readonly onPreparing: () => void;
}

/** Why a generation is not copied; for the log. */
export interface NotCopied {
  readonly refusal: string;
  readonly detail?: string;
}
