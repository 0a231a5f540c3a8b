import { randomUUID } from 'node:crypto';
import { createUploadedItem, type StagedSource } from '../upload/uploadedItem.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { QuotaLimit } from '../platform/errors.js';
import { localDay, localeOfTag } from '../platform/formats/regionalFormat.js';
import { defaultZone } from '../platform/formats/timeZone.js';
import { languageOf } from '../platform/i18n.js';
import { notifyUser } from '../user/user.jobs.js';
import { User } from '../user/user.model.js';
import {
  completeRecording,
  emptyRecording,
  failRecording,
  keepRecording,
  type ClaimedRecording,
} from './recording.lifecycle.js';

/**
 * Final states of a recording without a box item, with the mail to its owner. The content of a box item sends its own
 * mails.
 */

/** Limits that the owner must resolve: free storage, or another license. `WAITING_WORK` resolves by itself. */
export type KeepingLimit = Exclude<QuotaLimit, 'WAITING_WORK'>;

/**
 * Creates a box item of source LIVE from the copied segments, in the transaction that completes the recording, so that
 * it is created at most one time. False: the lease is lost. Throws QuotaExceededError.
 */
export async function ingestRecording(
  ctx: Context,
  recording: ClaimedRecording,
  staged: StagedSource,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const id = randomUUID();
    if (!(await completeRecording(ctx, tx, recording, id))) return false;
    await createUploadedItem(ctx, tx, recording.ownerId, staged, {
      id,
      title: recording.title,
      source: 'LIVE',
    });
    return true;
  });
}

/** Keeps a recording that a license limit does not permit. The owner is mailed after the first such attempt. */
export async function postponeRecording(ctx: Context, recording: ClaimedRecording, limit: KeepingLimit): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const key = `recording.reason.${limit}`;
    if (!(await keepRecording(ctx, tx, recording, key)) || recording.failureKey !== null) return;
    await notifyOwner(ctx, tx, recording, 'recordingKept', {
      reason: key,
      until: recording.keepUntil,
    });
  });
}

/** Fails a recording whose retention has ended, and mails the reason to the owner. */
export async function abandonRecording(ctx: Context, recording: ClaimedRecording): Promise<void> {
  const key = recording.failureKey ?? 'recording.reason.internal';
  await ctx.db.transaction(async (tx) => {
    if (await failRecording(ctx, tx, recording, key))
      await notifyOwner(ctx, tx, recording, 'recordingFailed', { reason: key });
  });
}

/** Closes a recording without media. The owner is mailed if mails about processing are enabled. */
export async function closeEmptyRecording(ctx: Context, recording: ClaimedRecording): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await emptyRecording(ctx, tx, recording)) await notifyOwner(ctx, tx, recording, 'recordingEmpty');
  });
}

/** Adds a mail to the outbox. `reason`: a message key; `until`: the end of the recording's retention. */
async function notifyOwner(
  ctx: Context,
  tx: Transaction,
  { eventId, ownerId, title }: ClaimedRecording,
  key: 'recordingKept' | 'recordingFailed' | 'recordingEmpty',
  { reason, until }: { readonly reason?: string; readonly until?: Date } = {},
): Promise<void> {
  const owner = await ctx.db.model(User).findByPk(ownerId, { transaction: tx });
  if (owner?.state !== 'ACTIVE' || (key === 'recordingEmpty' && !owner.transcoderNotifyEnabled)) return;
  const translated = reason === undefined ? {} : { reason: ctx.translate(languageOf(owner.language), reason) };
  const date = until && localDay(until, defaultZone(ctx.config), localeOfTag(owner.language));
  await ctx.outbox.add(tx, notifyUser, {
    userId: ownerId,
    key,
    values: { title, ...(date === undefined ? {} : { date }), ...translated },
    event: eventId,
  });
}
