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

/** The end of a recording before it is a box item, with the mail to its owner. The content mails its own end. */

/** The limits that end an attempt until the owner has space or another license. `WAITING_WORK` passes without the owner. */
export type KeepingLimit = Exclude<QuotaLimit, 'WAITING_WORK'>;

/**
 * Makes a box item of source LIVE of the copied segments. One transaction, so it is made once. False
 * where the lease has been lost. Throws QuotaExceededError.
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

/** Keeps a recording that a limit of the license does not permit. The owner is mailed the first time. */
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

/** Gives up a recording that was kept until its last day, and mails the reason. */
export async function abandonRecording(ctx: Context, recording: ClaimedRecording): Promise<void> {
  const key = recording.failureKey ?? 'recording.reason.internal';
  await ctx.db.transaction(async (tx) => {
    if (await failRecording(ctx, tx, recording, key))
      await notifyOwner(ctx, tx, recording, 'recordingFailed', { reason: key });
  });
}

/** Nothing was published. The owner is mailed if he wants mails about the processing of contents. */
export async function closeEmptyRecording(ctx: Context, recording: ClaimedRecording): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await emptyRecording(ctx, tx, recording)) await notifyOwner(ctx, tx, recording, 'recordingEmpty');
  });
}

/** Adds a mail to the outbox. `reason` is the key of a message; `until`: the end of the time for which the recording is kept. */
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
