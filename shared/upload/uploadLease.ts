import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import { LeaseRenewal, newLeaseOwner } from '../platform/lease/index.js';
import type { Logger } from '../platform/log.js';
import { Tunable } from '../platform/tunable.js';
import { renewUpload, releaseUpload, takeUpload, uploadLeaseSeconds, type UploadClaim } from './upload.lifecycle.js';

/** Maximum wait for the lease of another request: longer than the lease of a killed process lasts. */
const uploadWaitSeconds = new Tunable(uploadLeaseSeconds * 1.5);
const pollMs = 200;
const renewMs = 1_000;

/** The lease of an upload: only the request that holds it adds to the file. */
export interface UploadLease {
  readonly claim: UploadClaim;
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
}

/**
 * Runs `work` under the lease of an upload. A request that holds the lease is notified, and ends: usually its connection is
 * broken, and the client continues with the new request. `onRequested` is called when another request waits for this lease.
 * Throws ConflictError if the holder does not end in time.
 */
export async function underUploadLease<Result>(
  ctx: Context,
  uploadId: string,
  { log, onRequested = () => {} }: { readonly log: Logger; readonly onRequested?: () => void },
  work: (lease: UploadLease) => Promise<Result>,
): Promise<Result> {
  const claim = { uploadId, leaseOwner: newLeaseOwner() };
  const until = performance.now() + ctx.config.limit(uploadWaitSeconds) * 1_000;
  while (!(await takeUpload(ctx, claim))) {
    if (performance.now() > until) throw new ConflictError({ key: 'upload.inProgress' });
    await sleep(pollMs);
  }
  const renewal = new LeaseRenewal({
    renew: async () => {
      const renewed = await renewUpload(ctx, claim);
      if (renewed?.wanted) onRequested();
      return renewed !== null;
    },
    everyMs: renewMs,
    lostAfterMs: uploadLeaseSeconds * 1_000,
    log,
  });
  try {
    return await work({ claim, lost: renewal.lost });
  } finally {
    renewal.stop();
    await releaseUpload(ctx, claim);
  }
}
