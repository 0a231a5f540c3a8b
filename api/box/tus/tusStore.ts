import { DataStore, Metadata, Upload } from '@tus/server';
import {
  continueUpload,
  declareLength,
  finishUpload,
  openResumableUpload,
  resumableMilliseconds,
  terminateUpload,
} from '../../../shared/box/resumableUpload.service.js';
import { discardUpload } from '../../../shared/box/upload.service.js';
import { ownArrivingUpload } from '../../../shared/box/arrivingUpload.lifecycle.js';
import type { ArrivingUpload } from '../../../shared/box/arrivingUpload.model.js';
import type { RequestOf } from '../../http/route.js';
import { progressIdOf } from '../uploadForm.js';
import type { TusBody } from './tusBody.js';
import type { TusLocker } from './tusLocker.js';
import { readUploadMetadata } from './uploadMetadata.js';

/** What of tus is there beyond its core. The checksum is ours: the package does not know it. */
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'termination',
  'expiration',
  'checksum',
] as const;

/** Uploads of the caller of one request, as the protocol's package asks for them. Their state is in rows, their bytes in the storage. */
export class TusStore extends DataStore {
  readonly #request: RequestOf<unknown, unknown, unknown>;
  readonly #locker: TusLocker;
  readonly #body: TusBody;
  /** Of the upload of the request, once it has become an item. */
  boxId: string | null = null;
  #created: string | undefined;

  constructor(request: RequestOf<unknown, unknown, unknown>, locker: TusLocker, body: TusBody) {
    super();
    this.extensions = [...tusExtensions];
    this.#request = request;
    this.#locker = locker;
    this.#body = body;
  }

  override getExpiration(): number {
    return resumableMilliseconds;
  }

  /** Reserves what the upload needs, before its lease is taken. */
  async open({ id, size, metadata = {} }: Upload): Promise<void> {
    const { ctx, userId } = this.#request;
    const read = readUploadMetadata(ctx, metadata);
    const progressId = progressIdOf(this.#request) ?? id;
    await openResumableUpload(ctx, userId, {
      id,
      totalBytes: size ?? null,
      ...read,
      metadata: Metadata.stringify(metadata),
      progressId,
    });
    this.#created = id;
  }

  /** Removes the upload of a creation whose caller never learns its address. */
  async abandon(): Promise<void> {
    if (this.#created !== undefined) await discardUpload(this.#request.ctx, this.#created);
  }

  /** Called under the lease. An upload that has arrived whole becomes its item here, also when the request before was cut off. */
  override async getUpload(id: string): Promise<Upload> {
    const upload = await this.#own(id);
    await this.#finish(upload);
    return new Upload({
      id,
      ...(upload.totalBytes === null ? {} : { size: upload.totalBytes }),
      offset: upload.receivedBytes,
      ...(upload.metadata ? { metadata: Metadata.parse(upload.metadata) } : {}),
      // The time from which `getExpiration` counts. A request extends it.
      creation_date: this.#request.ctx.clock.now().toISOString(),
    });
  }

  /** Resolves with the new offset. The body is not the one that the package gives, which is empty. */
  override async write(_empty: unknown, id: string): Promise<number> {
    const { ctx } = this.#request;
    const upload = await this.#own(id);
    if (upload.boxId === null) await continueUpload(ctx, upload, this.#locker.lease, this.#body);
    const arrived = await this.#own(id);
    await this.#finish(arrived);
    return arrived.receivedBytes;
  }

  /** Called under the lease. */
  override async declareUploadLength(_id: string, totalBytes: number): Promise<void> {
    await declareLength(this.#request.ctx, this.#locker.lease, totalBytes);
  }

  override async remove(id: string): Promise<void> {
    await terminateUpload(this.#request.ctx, await this.#own(id));
  }

  #own(id: string): Promise<ArrivingUpload> {
    return ownArrivingUpload(this.#request.ctx, this.#request.userId, id);
  }

  async #finish(upload: ArrivingUpload): Promise<void> {
    // The creation asks once more behind its lease.
    this.boxId = upload.boxId;
    if (this.boxId !== null || upload.receivedBytes !== upload.totalBytes) return;
    this.boxId = await finishUpload(this.#request.ctx, upload, this.#locker.lease);
  }
}
