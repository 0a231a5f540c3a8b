import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { isDatabaseUnreachable } from '../platform/database/databaseErrors.js';
import { NotFoundError, orNotFound } from '../platform/errors.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { Caption, type CaptionDetails } from './caption.model.js';
import { maxCaptionBytes, maxCues, type Cue } from './cue.js';
import { maxWordsOfContent } from './captionWords.js';
import { CueIndex } from './cueIndex.js';
import { divideCrowded } from './shownAtOnce.js';

const details = [
  ...(['id', 'contentId', 'origin', 'language', 'label', 'kind', 'forced', 'shownByDefault', 'leftOutCues'] as const),
];

/** The captions of a content, the oldest first. */
export function captionsOf(ctx: Context, contentId: string): Promise<CaptionDetails[]> {
  return ctx.db.model(Caption).findAll({ where: { contentId }, attributes: [...details], order: ['createdAt', 'id'] });
}

/** Captions of this content. Throws NotFoundError. */
export async function captionOf(ctx: Context, contentId: string, id: string): Promise<CaptionDetails> {
  const where = { id, contentId };
  return orNotFound(await ctx.db.model(Caption).findOne({ where, attributes: [...details] }));
}

/**
 * The captions of a content for players, at most some seconds old. If the database is unavailable and they are not
 * cached, the content plays without captions.
 */
export async function playedCaptionsOf(ctx: Context, contentId: string): Promise<readonly CaptionDetails[]> {
  const read = async (): Promise<PlayedCaptions> => ({ captions: await captionsOf(ctx, contentId) });
  try {
    return (await playedCaptions(ctx).get(contentId, read))?.captions ?? [];
  } catch (error) {
    if (!isDatabaseUnreachable(error)) throw error;
    return [];
  }
}

interface PlayedCaptions {
  readonly captions: readonly CaptionDetails[];
}

/** The cues of captions, which never change. */
interface CaptionCues {
  readonly contentId: string;
  readonly index: CueIndex;
  readonly bytes: number;
}

/** A player that starts within this time after captions are added may not list them. */
const playedLifetimeMs = 2_000;
const maxPlayed = 10_000;

/** By content id. */
const playedCaptions = contextPart(
  () => new RefreshedCache<PlayedCaptions>({ lifetimeMs: playedLifetimeMs, maxEntries: maxPlayed }),
);

/** Deleted captions are sent to players for at most this time. */
const lifetimeMs = 60_000;
const maxCachedBytes = 32 * 1024 ** 2;

/** Cues by caption id: a player requests them in parts of half a minute. */
const captionCues = contextPart(() => {
  const memory = {
    maxBytes: maxCachedBytes,
    bytesOf: ({ bytes, index }: CaptionCues) => bytes + index.cues.length * 100,
  };
  return new RefreshedCache<CaptionCues>({ lifetimeMs, memory });
});

/** Throws NotFoundError if the content does not have these captions. */
export async function cuesOf(ctx: Context, contentId: string, id: string): Promise<CueIndex> {
  const read = (previous: CaptionCues | null): Promise<CaptionCues | null> => readCues(ctx, id, previous);
  const found = await captionCues(ctx).get(id, read);
  if (found?.contentId !== contentId) throw new NotFoundError();
  return found.index;
}

/** Approximate bytes of cues in one read: parsing them blocks the event loop. */
const sliceBytes = 256 * 1024;

/** A `previous` value stays valid unless the captions are deleted: cues never change. */
async function readCues(ctx: Context, id: string, previous: CaptionCues | null): Promise<CaptionCues | null> {
  const [row] = await ctx.db.rows<{ readonly contentId: string; readonly bytes: number; readonly count: number }>(
    'SELECT content_id, bytes, jsonb_array_length(cues) AS count FROM captions WHERE id = $id',
    { id },
  );
  if (!row || previous) return row ? previous : null;
  const { contentId, bytes, count } = row;
  const sliceCues = Math.max(1, Math.floor((count * sliceBytes) / Math.max(sliceBytes, bytes)));
  const cues: Cue[] = [];
  // An earlier release may have stored more cues than the limits permit.
  const end = Math.min(count, maxCues, Math.ceil((count * maxCaptionBytes) / Math.max(maxCaptionBytes, bytes)));
  for (let first = 0; first < end; first += sliceCues)
    cues.push(...(await sliceOfCues(ctx, id, { first, last: Math.min(end, first + sliceCues) - 1 })));
  return { contentId, bytes, index: new CueIndex((await divideCrowded(cues)).shown) };
}

async function sliceOfCues(
  ctx: Context,
  id: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly Cue[]> {
  const [row] = await ctx.db.rows<{ readonly cues: readonly Cue[] }>(
    `SELECT jsonb_path_query_array(cues, '$$[$$first to $$last]', jsonb_build_object('first', $first::int, 'last', $last::int)) AS cues
       FROM captions WHERE id = $id`,
    { id, first, last },
  );
  return row?.cues ?? [];
}

/** Adds the words of each content's captions to the rows, for the group `captionGroup` of an index. */
export async function withCaptionWords<Row extends { readonly contentId: string }>(ctx: Context, rows: readonly Row[]) {
  const words = await wordsOfContents(ctx, [...new Set(rows.map(({ contentId }) => contentId))]);
  return rows.map(({ contentId, ...row }) => ({ ...row, captionWords: words.get(contentId) ?? null }));
}

/**
 * Words of captions by content. If a content exceeds `maxWordsOfContent`, its longest captions are cut to the same
 * length.
 */
async function wordsOfContents(ctx: Context, contentIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.rows<{ readonly contentId: string; readonly words: string; readonly isCut: boolean }>(
    `WITH sized AS (
       SELECT content_id, id, created_at, words, (count(*) OVER rest)::int AS rest,
              $maxLength::int - coalesce(sum(length(words)) OVER before, 0) AS free
         FROM captions WHERE content_id = ANY ($contentIds::uuid[])
       WINDOW before AS (PARTITION BY content_id ORDER BY length(words), id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
              rest AS (PARTITION BY content_id ORDER BY length(words), id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)),
     shared AS (SELECT sized.*, (max(free / rest) OVER (PARTITION BY content_id))::int AS share FROM sized)
     SELECT content_id, left(words, share) AS words, length(words) > share AS is_cut FROM shared ORDER BY created_at, id`,
    { contentIds, maxLength: maxWordsOfContent },
  );
  const words = new Map<string, string>();
  for (const { contentId, words: text, isCut } of rows) {
    const complete = isCut ? text.slice(0, Math.max(0, text.lastIndexOf(' '))) : text;
    words.set(contentId, [words.get(contentId), complete].filter(Boolean).join(' '));
  }
  return words;
}
