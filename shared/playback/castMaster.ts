import { audioBits, ladderSteps, type LadderStep } from '../content/ladder.js';

/*
 * The master playlist of cast channels. It is made of settings alone: players read it once, so it must be right for every
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

/** The master playlist. Its renditions are `<rendition>.m3u8` beside it. The middle one is first, because players start with it. */
export function castMasterPlaylist(maximumHeight: number): string {
  const ladder = castLadder(maximumHeight);
  const middle = Math.floor((ladder.length - 1) / 2);
  const ordered = [...ladder.slice(middle, middle + 1), ...ladder.slice(0, middle), ...ladder.slice(middle + 1)];
  const lines = ordered.flatMap((step) => [`#EXT-X-STREAM-INF:${attributesOf(step).join(',')}`, `${step.name}.m3u8`]);
  return `${['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`;
}

/** Without FRAME-RATE: it would have to be 60, and players that are limited to 30 would play no channel. */
function attributesOf({ name, long, short, target, maximum }: LadderStep): string[] {
  return [
    `BANDWIDTH=${maximum * 1000 * shareAtFullPace + audioBits}`,
    `AVERAGE-BANDWIDTH=${target * 1000 + audioBits}`,
    `CODECS="avc1.6400${levels[name] ?? lowestLevel},mp4a.40.2"`,
    `RESOLUTION=${long}x${short}`,
  ];
}
