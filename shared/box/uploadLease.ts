import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import { LeaseKeeper, newLeaseOwner } from '../platform/lease.js';
import type { Logger } from '../platform/log.js';
import { Limit } from '../platform/limit.js';
import {
  renewUpload,
  returnUpload,
  takeUpload,
  uploadLeaseSeconds,
  type UploadHolder,
} from './arrivingUpload.lifecycle.js';

/** A request waits so long for another one that has the upload: longer than the lease of a process that has died. */
const uploadWaitSeconds = new Limit(uploadLeaseSeconds * 1.5);
const pollMs = 200;
const renewMs = 1_000;

/** The lease of an upload, which one request holds: it alone adds to the file. */
export class UploadLease {
  readonly #ctx: Context;
  readonly #keeper: LeaseKeeper;

  private constructor(
    ctx: Context,
    readonly holder: UploadHolder,
    { log, onWanted }: { readonly log: Logger; readonly onWanted: () => void },
  ) {
    this.#ctx = ctx;
    this.#keeper = new LeaseKeeper({
      renew: async () => {
        const renewed = await renewUpload(ctx, holder);
        if (renewed?.wanted) onWanted();
        return renewed !== null;
      },
      everyMs: renewMs,
      lostAfterMs: uploadLeaseSeconds * 1_000,
      log,
    });
  }

  /**
   * Takes the lease. A request that has it is asked to leave: mostly its connection is broken, and the client continues with this one.
   * `onWanted` is called when this one is asked. Throws ConflictError where the other one does not leave in time.
   */
  static async take(
    ctx: Context,
    uploadId: string,
    options: { readonly log: Logger; readonly signal?: AbortSignal; readonly onWanted: () => void },
  ): Promise<UploadLease> {
    const holder = { uploadId, leaseOwner: newLeaseOwner() };
    const until = performance.now() + ctx.config.limit(uploadWaitSeconds) * 1_000;
    while (!(await takeUpload(ctx, holder))) {
      if (performance.now() > until) throw new ConflictError({ key: 'upload.inProgress' });
      await sleep(pollMs, undefined, options.signal ? { signal: options.signal } : {});
    }
    return new UploadLease(ctx, holder, options);
  }

  /** Runs `work` under the lease. Throws as `take`, and what `work` throws. */
  static async hold(
    ctx: Context,
    uploadId: string,
    { log }: { readonly log: Logger },
    work: (lease: UploadLease) => Promise<void>,
  ): Promise<void> {
    const lease = await UploadLease.take(ctx, uploadId, { log, onWanted: () => {} });
    try {
      await work(lease);
    } finally {
      await lease.release();
    }
  }

  /** Aborted when another request has the upload. */
  get lost(): AbortSignal {
    return this.#keeper.lost;
  }

  async release(): Promise<void> {
    this.#keeper.stop();
    await returnUpload(this.#ctx, this.holder);
  }
}
