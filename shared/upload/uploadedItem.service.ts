import { randomUUID } from 'node:crypto';
import { insertItem } from '../box/box.service.js';
import type { NewItem } from '../box/box.model.js';
import { ownItem, type BoxItemWithContent } from '../box/box.queries.js';
import { arriveContent, assertNeverDeleted, createContent, replaceContent } from '../content/content.lifecycle.js';
import { Content } from '../content/content.model.js';
import { describedValues } from '../content/description.service.js';
import { recordMediaSeconds, uploadSeconds } from '../license/mediaMinutes.service.js';
import { commitReservation, reserveUpload } from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { contentIdOf } from './contentIdentifier.js';
import { contentOfUpload, endArrival } from './upload.lifecycle.js';

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** The file of a form, a tus upload or an import is complete, and its box item exists. */
    readonly 'upload.completed': { readonly contentId: string; readonly state?: 'PENDING' };
  }
}

/** A source file in the storage that belongs to no content yet. */
export interface StagedSource {
  readonly uploadId: string;
  readonly key: string;
  readonly bytes: number;
  /** The name sent by the client, for downloads only; never used as a path. */
  readonly fileName: string;
  /** Set for an upload with a lease. */
  readonly leaseOwner?: string;
  /** The file has not arrived yet: `arriveFile` follows. */
  readonly isAwaited?: boolean;
}

export interface NewUploadedItem extends NewItem {
  /** Id of the new box item. */
  readonly id: string;
  readonly source: 'UPLOAD' | 'LIVE';
}

/**
 * Creates the box item of an upload of any kind in the caller's transaction: item, content, ingestion job and event; the reserved
 * bytes become stored bytes. If the file has not arrived yet: item, waiting content, and a reservation of one upload. Resolves with
 * the id of the content. Throws QuotaExceededError, ConflictError, ValidationError.
 */
export async function createUploadedItem(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  file: StagedSource,
  { id, source, ...input }: NewUploadedItem,
): Promise<string> {
  const described = { title: input.title, ...(await describedValues(ctx, tx, ownerId, input)) };
  const contentId = await contentOfFile(ctx, tx, ownerId, file, { source, ...input });
  await recordMediaSeconds(ctx, tx, ownerId, uploadSeconds);
  await insertItem(ctx, tx, { id, ownerId, contentId, source, ...described });
  if (file.isAwaited) await reserveUpload(ctx, ownerId, 0, file.uploadId, tx);
  else await recordArrived(ctx, tx, file, { ownerId, contentId, id, source });
  return contentId;
}

/** Like `createUploadedItem`, in a new transaction. `alongside` runs in the same transaction. Resolves with the item. */
export async function createBoxItem(
  ctx: Context,
  ownerId: string,
  file: StagedSource,
  input: NewItem & { readonly id?: string },
  alongside?: (tx: Transaction, contentId: string) => Promise<void>,
): Promise<BoxItemWithContent> {
  const id = input.id ?? randomUUID();
  try {
    return await ctx.db.transaction(async (tx) => {
      const contentId = await createUploadedItem(ctx, tx, ownerId, file, { ...input, id, source: 'UPLOAD' });
      await alongside?.(tx, contentId);
      return ownItem(ctx, ownerId, id, tx);
    });
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'contents_pkey') throw error;
    throw new ConflictError({ key: 'box.identifierTaken', cause: error });
  }
}

/**
 * Adds the file to an item that was created before the file arrived. False if the item was deleted meanwhile. Throws
 * LeaseLostError.
 */
export function arriveFile(
  ctx: Context,
  ownerId: string,
  file: StagedSource,
  item: { readonly id: string; readonly contentId: string },
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if (!(await arriveContent(ctx, tx, { ...sourceOf(ownerId, file), id: item.contentId }))) return false;
    await recordArrived(ctx, tx, file, { ...item, ownerId, source: 'UPLOAD' });
    return true;
  });
}

/** Checks the conditions of `createBoxItem` before a long upload. Throws ConflictError, ValidationError. */
export async function assertCreatable(ctx: Context, ownerId: string, input: NewItem): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await describedValues(ctx, tx, ownerId, input);
    if (input.contentIdentifier === undefined) return;
    const contentId = contentIdOf(ctx.config.service.urnNamespace, ownerId, input.contentIdentifier);
    await assertNeverDeleted(ctx, tx, contentId);
    const taken = await ctx.db.model(Content).findByPk(contentId, { attributes: ['id'], transaction: tx });
    if (taken) throw new ConflictError({ key: 'box.identifierTaken' });
  });
}

/**
 * The content that was created while the file arrived, or a new one; always a new one if the caller sends its id. Resolves with its
 * id.
 */
async function contentOfFile(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  file: StagedSource,
  { contentIdentifier, source }: Pick<NewUploadedItem, 'contentIdentifier' | 'source'>,
): Promise<string> {
  const arriving = await contentOfUpload(ctx, tx, file.uploadId);
  const content = sourceOf(ownerId, file);
  if (arriving !== null) {
    if (contentIdentifier === undefined && (await arriveContent(ctx, tx, { id: arriving, ...content })))
      return arriving;
    await replaceContent(ctx, tx, arriving);
  }
  const id = contentIdOf(ctx.config.service.urnNamespace, ownerId, contentIdentifier);
  const arrival = file.isAwaited ? ({ arrival: 'AWAITED' } as const) : {};
  await createContent(ctx, tx, { id, ...content, ...arrival, recorded: source === 'LIVE' });
  return id;
}

function sourceOf(ownerId: string, { key, fileName, bytes }: StagedSource) {
  return { ownerId, sourceKey: key, sourceName: fileName, sourceBytes: bytes };
}

async function recordArrived(
  ctx: Context,
  tx: Transaction,
  { uploadId, leaseOwner, bytes }: StagedSource,
  item: { readonly ownerId: string; readonly contentId: string } & Pick<NewUploadedItem, 'id' | 'source'>,
): Promise<void> {
  await endArrival(ctx, tx, { uploadId, leaseOwner: leaseOwner ?? null }, item.id);
  await commitReservation(ctx, tx, uploadId, bytes);
  if (item.source === 'UPLOAD')
    await ctx.events.record(tx, 'upload.completed', item.ownerId, { contentId: item.contentId, state: 'PENDING' });
}
