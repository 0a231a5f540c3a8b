import { randomUUID } from 'node:crypto';
import { addExtraBytes } from '../content/extraBytes.js';
import { Content } from '../content/content.model.js';
import { recordStoredBytes, takeStorage } from '../license/usage.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError, orNotFound, ValidationError } from '../platform/errors.js';
import { Caption, type CaptionDetails, type CaptionKind } from './caption.model.js';
import { captionOf } from './caption.queries.js';
import { captionWordsOf } from './captionWords.js';
import { CaptionFileError, vttBytes, type Cue } from './cue.js';
import { labelOfLanguage } from '../platform/formats/language.js';
import { vttTime } from '../media/vttTime.js';
import { readCaptions, type ReadCaptions } from './readCaptions.js';
import { maxCuesAtOnce } from './shownAtOnce.js';

/** Per content: more than the number of official languages of the European Union. */
export const maxCaptions = 40;

/** The members of captions that an owner can set. */
export interface CaptionInput {
  /** BCP 47, in its usual form. */
  readonly language: string;
  /** Undefined: the language's own name. */
  readonly label?: string | undefined;
  readonly kind?: CaptionKind | undefined;
  readonly forced?: boolean | undefined;
  /** True for at most one of a content's captions: setting it clears it in the others. */
  readonly shownByDefault?: boolean | undefined;
}

export interface NewCaption extends CaptionInput {
  /** In WebVTT or SubRip. */
  readonly file: Uint8Array;
}

/**
 * Adds captions to a content. They replace automatic captions in the same language. Throws ValidationError if the file
 * cannot be read; ConflictError if the label is taken or the content has too many captions; QuotaExceededError.
 */
export async function createCaption(
  ctx: Context,
  contentId: string,
  { file, language, forced = false, label = defaultLabel(language, forced), kind = 'captions', ...input }: NewCaption,
): Promise<CaptionDetails> {
  const { cues, leftOutCues } = await cuesOfFile(file);
  const words = await captionWordsOf(cues);
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    const ownerId = await lockContent(ctx, tx, contentId);
    if (!forced) await removeAutomatic(ctx, tx, { contentId, ownerId, language });
    const present = await ctx.db
      .model(Caption)
      .findAll({ where: { contentId }, attributes: ['label'], transaction: tx });
    if (present.length >= maxCaptions)
      throw new ConflictError({ key: 'caption.tooMany', values: { limit: maxCaptions } });
    if (present.some((one) => one.label === label)) throw new ConflictError({ key: 'caption.labelTaken' });
    const { shownByDefault = false } = input;
    const values = { id, contentId, origin: 'OWNER' as const, stream: null, language, label, kind, forced };
    const bytes = await insertCaption(ctx, tx, { ...values, shownByDefault, leftOutCues, cues, words });
    await takeStorage(ctx, tx, ownerId, 'renditions', bytes);
  });
  return captionOf(ctx, contentId, id);
}

/** Captions that a worker has found in the source, or has transcribed. */
export interface GeneratedCaption extends CaptionInput {
  readonly origin: 'SOURCE' | 'AUTOMATIC';
  readonly stream: number | null;
  readonly cues: readonly Cue[];
  readonly leftOutCues?: number;
}

/**
 * Adds captions of the source or automatic captions; a number is appended to a label that is taken. Idempotent. Automatic
 * captions are not added if the content has captions in that language. `shownByDefault` is ignored if other captions of the
 * content have it set. Resolves with false if nothing was added.
 */
export async function addGeneratedCaption(
  ctx: Context,
  contentId: string,
  { origin, stream, cues, language, kind = 'subtitles', forced = false, leftOutCues = 0, ...input }: GeneratedCaption,
): Promise<boolean> {
  const { label = defaultLabel(language, forced) } = input;
  const words = await captionWordsOf(cues);
  return ctx.db.transaction(async (tx) => {
    const ownerId = await lockContent(ctx, tx, contentId);
    const attributes = ['label', 'language', 'origin', 'stream', 'forced', 'shownByDefault'] as const;
    const present = await ctx.db
      .model(Caption)
      .findAll({ where: { contentId }, attributes: [...attributes], transaction: tx });
    const isThere = present.some((one) =>
      origin === 'AUTOMATIC'
        ? one.language === language && !one.forced
        : one.origin === 'SOURCE' && one.stream === stream,
    );
    if (isThere || present.length >= maxCaptions) return false;
    const free = freeLabel(label, new Set(present.map((one) => one.label)));
    const shownByDefault = input.shownByDefault === true && !present.some((one) => one.shownByDefault);
    const values = { id: randomUUID(), contentId, origin, stream, language, label: free, kind, forced, shownByDefault };
    const bytes = await insertCaption(ctx, tx, { ...values, leftOutCues, cues, words });
    await recordStoredBytes(ctx, tx, ownerId, 'renditions', bytes);
    return true;
  });
}

/** Changes the members of captions; undefined members stay unchanged. Throws NotFoundError, ConflictError. */
export async function updateCaption(
  ctx: Context,
  contentId: string,
  id: string,
  { language, label, kind, forced, shownByDefault }: Partial<CaptionInput>,
): Promise<CaptionDetails> {
  await ctx.db.transaction(async (tx) => {
    await lockContent(ctx, tx, contentId);
    const present = await ctx.db
      .model(Caption)
      .findAll({ where: { contentId }, attributes: ['id', 'label'], transaction: tx });
    if (!present.some((one) => one.id === id)) throw new NotFoundError();
    if (present.some((one) => one.id !== id && one.label === label))
      throw new ConflictError({ key: 'caption.labelTaken' });
    const values = { language, label, kind, forced, shownByDefault, updatedAt: ctx.clock.now() };
    if (shownByDefault) await showNoneByDefault(ctx, tx, contentId);
    await ctx.db.model(Caption).update(values, { where: { id }, transaction: tx });
  });
  return captionOf(ctx, contentId, id);
}

/** Deletes captions; players may receive them for one more minute. Throws NotFoundError. */
export async function deleteCaption(ctx: Context, contentId: string, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const ownerId = await lockContent(ctx, tx, contentId);
    const where = { id, contentId };
    const found = await ctx.db.model(Caption).findOne({ where, attributes: ['bytes'], transaction: tx });
    await removeCaption(ctx, tx, { id, contentId, ownerId, bytes: orNotFound(found).bytes });
  });
}

async function cuesOfFile(file: Uint8Array): Promise<ReadCaptions> {
  try {
    return await readCaptions(file);
  } catch (error) {
    if (!(error instanceof CaptionFileError)) throw error;
    const { reason, line, atMs } = error;
    const values = { line, time: vttTime(atMs), limit: maxCuesAtOnce };
    throw new ValidationError([{ field: 'file', code: reason, key: `caption.file.${reason}`, values }], {
      cause: error,
    });
  }
}

/** Serializes changes of a content's captions. Resolves with the id of the content's owner. Throws NotFoundError. */
async function lockContent(ctx: Context, tx: Transaction, contentId: string): Promise<string> {
  const content = await ctx.db
    .model(Content)
    .findByPk(contentId, { attributes: ['ownerId', 'state'], transaction: tx, lock: 'NO KEY UPDATE' });
  if (!content || content.state === 'DELETED') throw new NotFoundError();
  return content.ownerId;
}

/** Resolves with the number of bytes that count towards the storage quota. */
async function insertCaption(
  ctx: Context,
  tx: Transaction,
  { words, ...caption }: Omit<Caption, 'bytes' | 'createdAt' | 'updatedAt'>,
): Promise<number> {
  const { contentId, cues } = caption;
  const now = ctx.clock.now();
  const bytes = vttBytes(cues);
  const values = { ...caption, words, bytes, createdAt: now, updatedAt: now };
  if (caption.shownByDefault) await showNoneByDefault(ctx, tx, contentId);
  await ctx.db.model(Caption).create(values, { transaction: tx });
  await addExtraBytes(ctx, tx, contentId, bytes);
  await ctx.search.markDirty(tx, 'caption', contentId);
  return bytes;
}

async function showNoneByDefault(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const where = { contentId, shownByDefault: true };
  await ctx.db.model(Caption).update({ shownByDefault: false }, { where, transaction: tx });
}

async function removeAutomatic(
  ctx: Context,
  tx: Transaction,
  { contentId, ownerId, language }: { readonly contentId: string; readonly ownerId: string; readonly language: string },
): Promise<void> {
  const where = { contentId, language, origin: 'AUTOMATIC' as const };
  const automatic = await ctx.db.model(Caption).findAll({ where, attributes: ['id', 'bytes'], transaction: tx });
  for (const { id, bytes } of automatic) await removeCaption(ctx, tx, { id, contentId, ownerId, bytes });
}

interface RemovedCaption {
  readonly id: string;
  readonly contentId: string;
  readonly ownerId: string;
  readonly bytes: number;
}

async function removeCaption(ctx: Context, tx: Transaction, removed: RemovedCaption): Promise<void> {
  const { id, contentId, ownerId, bytes } = removed;
  await ctx.db.model(Caption).destroy({ where: { id }, transaction: tx });
  await addExtraBytes(ctx, tx, contentId, -bytes);
  await recordStoredBytes(ctx, tx, ownerId, 'renditions', -bytes);
  await ctx.search.markDirty(tx, 'caption', contentId);
}

/** Forced captions exist in addition to other captions in the same language, so their label differs. */
function defaultLabel(language: string, forced: boolean): string {
  return labelOfLanguage(language) + (forced ? ' (forced)' : '');
}

/** `English`, or `English (2)`. */
function freeLabel(label: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = label; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${label} (${number})`;
  }
}
