import { cutFilesOf } from '../../cast/stillFiles.queries.js';
import type { AiringSource } from '../../cast/playout/airing.js';
import type { CastPlaylistForm, ListedAiring, ListedCastSegment } from '../../cast/playout/castPlaylist.js';
import { playedCaptionsOf } from '../../caption/caption.queries.js';
import type { CaptionOrigin } from '../../caption/caption.model.js';
import { findContent } from '../../content/content.queries.js';
import { generationFolder } from '../../content/storageKeys.js';
import { segmentStartSeconds } from '../../content/storedMedia.js';
import { secondsOfFrames } from '../../media/frameRate.js';
import type { Grid } from '../../media/grid.js';
import type { Context } from '../../platform/context.js';
import { isDatabaseAway } from '../../platform/database/databaseErrors.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import { captionPartKey, mpegTicksOf } from './captionPath.js';

/** For how long ahead the master playlist of a channel names the languages of what airs. */
const hoursAhead = 24;
const mostLanguages = 40;
/** Of captions in one language, those that are shown. */
const byOrigin: readonly CaptionOrigin[] = ['OWNER', 'SOURCE', 'AUTOMATIC'];

declare module '../../platform/context.js' {
  interface Context {
    readonly castCaptionCaches: CastCaptionCaches;
  }
}

/** What this process has read for the captions of cast channels. */
export interface CastCaptionCaches {
  /** By channel. */
  readonly languages: RefreshedCache<readonly string[]>;
  /** By content and generation. */
  readonly contents: RefreshedCache<CaptionedContent>;
}

/** A generation whose captions air: its folder, and how its frames are divided into segments. They never change. */
interface CaptionedContent {
  readonly folder: string;
  readonly grid: Grid;
}

export function createCastCaptionCaches(): CastCaptionCaches {
  return {
    languages: new RefreshedCache({ lifetimeMs: 10_000, maximum: 2_000 }),
    contents: new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: 2_000 }),
  };
}

/**
 * The languages of the captions of what airs on a channel now and within a day. Players read a master playlist once. A channel plays
 * without captions while the database is away and they are not known.
 */
export async function castCaptionLanguages(ctx: Context, channelId: string): Promise<readonly string[]> {
  try {
    return (await ctx.castCaptionCaches.languages.get(channelId, () => readLanguages(ctx, channelId))) ?? [];
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    return [];
  }
}

async function readLanguages(ctx: Context, channelId: string): Promise<readonly string[]> {
  const rows = await ctx.db.rows<{ language: string }>(
    `SELECT DISTINCT caption.language
       FROM cast_programs program
       JOIN box_items box ON box.id = program.box_item_id
       JOIN captions caption ON caption.content_id = box.content_id
      WHERE program.channel_id = $channelId AND program.ends_at > $now
        AND program.starts_at < $now::timestamptz + make_interval(hours => $hoursAhead::int)
      ORDER BY caption.language LIMIT $mostLanguages::int`,
    { channelId, now: ctx.clock.now(), hoursAhead, mostLanguages },
  );
  return rows.map(({ language }) => language);
}

/** The key of the captions of a listed segment. Null: there are none while it airs. */
export type CastCaptionKeys = (segment: ListedCastSegment) => string | null;

/** Finds the captions of everything that a channel lists in a language and form. */
export async function castCaptionKeys(
  ctx: Context,
  listed: readonly ListedAiring[],
  { language, form }: { readonly language: string; readonly form: CastPlaylistForm },
): Promise<CastCaptionKeys> {
  const bySource = new Map<AiringSource, CastCaptionKeys>();
  for (const one of listed) {
    const keys = await keysOfAiring(ctx, one, { language, form });
    if (keys) bySource.set(one.airing.source, keys);
  }
  return (segment) => bySource.get(segment.source)?.(segment) ?? null;
}

async function keysOfAiring(
  ctx: Context,
  { airing }: ListedAiring,
  { language, form }: { readonly language: string; readonly form: CastPlaylistForm },
): Promise<CastCaptionKeys | null> {
  const { source, startsAt } = airing;
  if (source.kind !== 'CONTENT' && source.kind !== 'CUT') return null;
  const { contentId, generation } = source;
  const inLanguage = (await playedCaptionsOf(ctx, contentId)).filter((caption) => caption.language === language);
  const [caption] = inLanguage.toSorted((one, two) => byOrigin.indexOf(one.origin) - byOrigin.indexOf(two.origin));
  if (!caption) return null;
  const content = await captionedContent(ctx, contentId, generation);
  if (!content) return null;
  const { folder, grid } = content;
  const { frameRate, framesPerSegment } = grid;
  const frameOf = (index: number): number => (source.kind === 'CUT' ? source.firstFrame : index * framesPerSegment);
  const firstSeconds = secondsOfFrames(frameOf(source.first), frameRate);
  // The map is the same for the whole airing: `captionPath.ts`.
  const mediaSeconds = form === 'continuous' ? startsAt / 1e6 : await joinedStartSeconds(ctx, source, firstSeconds);
  const map = { localMs: Math.round(firstSeconds * 1000), mpegTicks: mpegTicksOf(mediaSeconds) };
  return ({ index, duration }) => {
    const fromMs = Math.round(secondsOfFrames(frameOf(index), frameRate) * 1000);
    return captionPartKey(folder, caption.id, { fromMs, toMs: fromMs + Math.ceil(duration / 1000), ...map });
  };
}

function captionedContent(ctx: Context, contentId: string, generation: number): Promise<CaptionedContent | null> {
  return ctx.castCaptionCaches.contents.get(`${contentId}/${generation}`, async () => {
    const content = await findContent(ctx, contentId);
    return content?.readyGrid ? { folder: generationFolder(content, generation), grid: content.readyGrid } : null;
  });
}

/** When the first segment of an airing is shown, by the times of its file. Those of a content begin with it. */
async function joinedStartSeconds(
  ctx: Context,
  source: Extract<AiringSource, { kind: 'CONTENT' | 'CUT' }>,
  firstSeconds: number,
): Promise<number> {
  if (source.kind === 'CONTENT') return firstSeconds;
  const [rendition] = (await cutFilesOf(ctx, source.cutId)) ?? [];
  return rendition ? segmentStartSeconds(ctx, rendition.fileOf(0)) : 0;
}
