import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import { LeaseRenewal, newLeaseOwner } from '../platform/lease.js';
import type { Logger } from '../platform/log.js';
import { Tunable } from '../platform/tunable.js';
import { renewUpload, returnUpload, takeUpload, uploadLeaseSeconds, type UploadClaim } from './upload.lifecycle.js';

/** How long a request waits for another one that has the upload: longer than the lease of a process that was killed. */
const uploadWaitSeconds = new Tunable(uploadLeaseSeconds * 1.5);
const pollMs = 200;
const renewMs = 1_000;

/** The lease of an upload, which one request holds: it alone adds to the file. */
export class UploadLease {
  readonly #ctx: Context;
  readonly #renewal: LeaseRenewal;

  private constructor(
    ctx: Context,
    readonly claim: UploadClaim,
    { log, onRequested }: { readonly log: Logger; readonly onRequested: () => void },
  ) {
    this.#ctx = ctx;
    this.#renewal = new LeaseRenewal({
      renew: async () => {
        const renewed = await renewUpload(ctx, claim);
        if (renewed?.wanted) onRequested();
        return renewed !== null;
      },
      everyMs: renewMs,
      lostAfterMs: uploadLeaseSeconds * 1_000,
      log,
    });
  }

  private static async take(
    ctx: Context,
    uploadId: string,
    options: { readonly log: Logger; readonly onRequested: () => void },
  ): Promise<UploadLease> {
    const claim = { uploadId, leaseOwner: newLeaseOwner() };
    const until = performance.now() + ctx.config.limit(uploadWaitSeconds) * 1_000;
    while (!(await takeUpload(ctx, claim))) {
      if (performance.now() > until) throw new ConflictError({ key: 'upload.inProgress' });
      await sleep(pollMs);
    }
    return new UploadLease(ctx, claim, options);
  }

  /**
   * Runs `work` under the lease. A request that has it is asked to end: usually its connection is broken, and the client continues with
   * this one. `onRequested` is called when this one is asked. Throws ConflictError if the other one does not end in time.
   */
  static async hold<Result>(
    ctx: Context,
    uploadId: string,
    { log, onRequested = () => {} }: { readonly log: Logger; readonly onRequested?: () => void },
    work: (lease: UploadLease) => Promise<Result>,
  ): Promise<Result> {
    const lease = await UploadLease.take(ctx, uploadId, { log, onRequested });
    try {
      return await work(lease);
    } finally {
      await lease.release();
    }
  }

  /** Aborted when another request has the upload. */
  get lost(): AbortSignal {
    return this.#renewal.lost;
  }

  async release(): Promise<void> {
    this.#renewal.stop();
    await returnUpload(this.#ctx, this.claim);
  }
}
