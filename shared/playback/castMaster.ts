import { ladderSteps, type LadderStep } from '../content/ladder.js';
import { labelOfLanguage } from '../caption/language.js';
import { castCaptionsName } from './captions/captionPath.js';
import { withSubtitles } from './captions/captionMaster.js';
import { audioBits } from '../media/audioPackets.js';
import { variantPlaylist, type VariantStream } from '../content/variantStreams.js';

/*
 * The master playlist of cast channels. Its renditions are made of settings alone: players read it once, so it must be right for every
 * content that a channel will ever play.
 */

/** Renditions of videos with more frames per second get so much more (`shared/content/ladder.ts`). */
const shareAtFullPace = 1.5;

/**
 * The highest level of H.264 that any segment in a list has, at up to 60 frames per second. Not below 3.1, because the slate
 * is in all lists, and has 1280 x 720.
 */
const levels: Readonly<Record<string, string>> = { '720p': '20', '1080p': '2a' };
const lowestLevel = '1f';

/** The steps of the ladder up to a height, lowest first; at least one. */
export function castLadder(maximumHeight: number): readonly LadderStep[] {
  return ladderSteps.filter(({ short }, index) => index === 0 || short <= maximumHeight);
}

/** The master playlist. Its renditions are `<rendition>.m3u8` beside it, and its captions by their languages. */
export function castMasterPlaylist(maximumHeight: number, captionLanguages: readonly string[] = []): string {
  const master = variantPlaylist(castLadder(maximumHeight).map(variantOf));
  return withSubtitles(
    master,
    captionLanguages.map((language) => ({
      ...{ language, label: labelOfLanguage(language), kind: 'subtitles' },
      uri: `${castCaptionsName(language)}.m3u8`,
    })),
  );
}

/** Without FRAME-RATE: it would have to be 60, and players that are limited to 30 would play no channel. */
function variantOf({ name, long, short, target, maximum }: LadderStep): VariantStream {
  return {
    uri: `${name}.m3u8`,
    peak: maximum * 1000 * shareAtFullPace + audioBits,
    average: target * 1000 + audioBits,
    codecs: `avc1.6400${levels[name] ?? lowestLevel},mp4a.40.2`,
    ...{ width: long, height: short, framesPerSecond: null },
  };
}
