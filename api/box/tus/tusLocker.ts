import type { Lock, Locker } from '@tus/server';
import { ownArrivingUpload } from '../../../shared/box/arrivingUpload.lifecycle.js';
import type { TusBody } from './tusBody.js';
import { UploadLease } from '../../../shared/box/uploadLease.js';
import type { RequestOf } from '../../http/route.js';

/** The lease of the upload of one request, as the protocol's package asks for it. */
export class TusLocker implements Locker {
  readonly #request: RequestOf<unknown, unknown, unknown>;
  readonly #body: TusBody;
  #lease: UploadLease | undefined;

  constructor(request: RequestOf<unknown, unknown, unknown>, body: TusBody) {
    this.#request = request;
    this.#body = body;
  }

  /** Throws where the request does not hold its upload: a defect. */
  get lease(): UploadLease {
    if (!this.#lease) throw new Error('the upload is not held');
    return this.#lease;
  }

  newLock(id: string): Lock {
    const { ctx, log, userId } = this.#request;
    return {
      lock: async (signal) => {
        // A new upload has no row yet: nobody else knows its id.
        await ownArrivingUpload(ctx, userId, id);
        this.#lease = await UploadLease.take(ctx, id, { log, signal, onRequested: () => this.#body.leave() });
      },
      unlock: async () => {
        await this.#lease?.release();
        this.#lease = undefined;
      },
    };
  }
}
