import { cutFilesOf } from '../../cast/cutAndSlateFiles.queries.js';
import type { AiringSource, CastPlaylistForm, ListedAiring, ListedCastSegment } from '../../cast/playout/index.js';
import { playedCaptionsOf } from '../../caption/caption.queries.js';
import type { CaptionOrigin } from '../../caption/caption.model.js';
import { segmentStartSeconds } from '../../content/storedMedia.js';
import { secondsOfFrames } from '../../media/frameRate.js';
import type { Context } from '../../platform/context.js';
import { airedGeneration } from '../airedContent.queries.js';
import { captionPartKey, mpegTicksOf } from './captionPath.js';

/** Preference among captions in the same language, by origin. */
const byOrigin: readonly CaptionOrigin[] = ['OWNER', 'SOURCE', 'AUTOMATIC'];

/** The key of the caption part for a listed segment. Null: the segment has no captions. */
export type CastCaptionKeys = (segment: ListedCastSegment) => string | null;

/** Finds the captions in a language for all listed segments of a channel. */
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
  const inLanguage = (await playedCaptionsOf(ctx, contentId)).filter(
    (caption) => caption.language === language && !caption.forced,
  );
  const [caption] = inLanguage.toSorted((one, two) => byOrigin.indexOf(one.origin) - byOrigin.indexOf(two.origin));
  if (!caption) return null;
  const content = await airedGeneration(ctx, contentId, generation);
  if (!content) return null;
  const { folder, grid } = content;
  const { frameRate, framesPerSegment } = grid;
  const frameOf = (index: number): number => (source.kind === 'CUT' ? source.firstFrame : index * framesPerSegment);
  const firstSeconds = secondsOfFrames(frameOf(source.first), frameRate);
  // All segments of an airing have the same timestamp map: `captionPath.ts`.
  const mediaSeconds = form === 'continuous' ? startsAt / 1e6 : await joinedStartSeconds(ctx, source, firstSeconds);
  const map = { localMs: Math.round(firstSeconds * 1000), mpegTicks: mpegTicksOf(mediaSeconds) };
  return ({ index, duration }) => {
    const fromMs = Math.round(secondsOfFrames(frameOf(index), frameRate) * 1000);
    return captionPartKey(folder, caption.id, { fromMs, toMs: fromMs + Math.ceil(duration / 1000), ...map });
  };
}

/** Presentation time of an airing's first segment, from its file. */
async function joinedStartSeconds(
  ctx: Context,
  source: Extract<AiringSource, { kind: 'CONTENT' | 'CUT' }>,
  firstSeconds: number,
): Promise<number> {
  if (source.kind === 'CONTENT') return firstSeconds;
  const rendition = (await cutFilesOf(ctx, source.cutId))?.video[0];
  return rendition ? segmentStartSeconds(ctx, rendition.fileOf(0)) : 0;
}
