import type { Context } from '../platform/context.js';
import { isDatabaseAway } from '../platform/database/databaseErrors.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { Caption, type CaptionDetails } from './caption.model.js';
import type { Cue } from './cue.js';

const details = ['id', 'contentId', 'origin', 'language', 'label', 'kind'] as const;

/** The captions of a content, the oldest first. */
export function captionsOf(ctx: Context, contentId: string): Promise<CaptionDetails[]> {
  return ctx.db.model(Caption).findAll({ where: { contentId }, attributes: [...details], order: ['createdAt', 'id'] });
}

/** Captions of this content. Throws NotFoundError. */
export async function captionOf(ctx: Context, contentId: string, id: string): Promise<CaptionDetails> {
  const where = { id, contentId };
  const found = isUuid(id) ? await ctx.db.model(Caption).findOne({ where, attributes: [...details] }) : null;
  if (!found) throw new NotFoundError();
  return found;
}

/**
 * The same for a player, some seconds old at most. A content plays without captions while the database is away and they are not known.
 */
export async function playedCaptionsOf(ctx: Context, contentId: string): Promise<readonly CaptionDetails[]> {
  const read = async (): Promise<PlayedCaptions> => ({ captions: await captionsOf(ctx, contentId) });
  try {
    return (await ctx.playedCaptions.get(contentId, read))?.captions ?? [];
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    return [];
  }
}

export interface PlayedCaptions {
  readonly captions: readonly CaptionDetails[];
}

/** What captions say. They never change. */
export interface CaptionCues {
  readonly contentId: string;
  readonly cues: readonly Cue[];
  readonly bytes: number;
}

declare module '../platform/context.js' {
  interface Context {
    /** Cues by the ids of their captions: a player asks for each half minute of them. */
    readonly captionCues: RefreshedCache<CaptionCues>;
    /** By content. */
    readonly playedCaptions: RefreshedCache<PlayedCaptions>;
  }
}

/** Who begins to play within this time may not get captions that are just added. */
const playedLifetimeMs = 2_000;
const mostPlayed = 10_000;

export function createPlayedCaptions(): RefreshedCache<PlayedCaptions> {
  return new RefreshedCache({ lifetimeMs: playedLifetimeMs, maximum: mostPlayed });
}

/** A deleted caption is still sent for so long to who plays it. */
const lifetimeMs = 60_000;
const maximumKeptBytes = 32 * 1024 ** 2;

export function createCaptionCues(): RefreshedCache<CaptionCues> {
  const memory = {
    maximumBytes: maximumKeptBytes,
    bytesOf: ({ bytes, cues }: CaptionCues) => bytes + cues.length * 100,
  };
  return new RefreshedCache({ lifetimeMs, memory });
}

/** Throws NotFoundError: the content has no such captions. */
export async function cuesOf(ctx: Context, contentId: string, id: string): Promise<readonly Cue[]> {
  const found = isUuid(id) ? await ctx.captionCues.get(id, () => readCues(ctx, id)) : null;
  if (found?.contentId !== contentId) throw new NotFoundError();
  return found.cues;
}

function readCues(ctx: Context, id: string): Promise<CaptionCues | null> {
  return ctx.db.model(Caption).findByPk(id, { attributes: ['contentId', 'cues', 'bytes'] });
}

/** The same rows with the words of all captions of their contents, for the group `captionGroup` of an index. */
export async function withCaptionWords<Row extends { readonly contentId: string }>(ctx: Context, rows: readonly Row[]) {
  const words = await wordsOfContents(ctx, [...new Set(rows.map(({ contentId }) => contentId))]);
  return rows.map(({ contentId, ...row }) => ({ ...row, captionWords: words.get(contentId) ?? null }));
}

async function wordsOfContents(ctx: Context, contentIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db
    .model(Caption)
    .findAll({ where: { contentId: contentIds }, attributes: ['contentId', 'words'], order: ['createdAt', 'id'] });
  const words = new Map<string, string>();
  for (const row of rows) words.set(row.contentId, [words.get(row.contentId), row.words].filter(Boolean).join(' '));
  return words;
}
