import { ladderSteps, type LadderStep } from '../content/ladder.js';
import { labelOfLanguage } from '../platform/formats/language.js';
import { castCaptionsName } from './captions/captionPath.js';
import { withSubtitles } from './captions/captionMaster.js';
import { audioBits } from '../media/audioPackets.js';
import { originalAudio, variantPlaylist, type AlternateAudio, type VariantStream } from '../content/variantStreams.js';
import type { CastLanguages } from './castLanguages.queries.js';
import type { CastTrack } from './castSegments.js';

/*
 * The master playlist of cast channels. Its renditions depend only on settings: players read it once, so it must be valid for every
 * content that the channel plays later.
 */

/** Factor of the bit rate at high frame rates (`shared/content/ladder.ts`). */
const shareAtFullPace = 1.5;

/**
 * The highest H.264 level of any segment in a playlist, at up to 60 frames per second. At least 3.1, because all playlists
 * contain the slate of 1280 x 720. All but the lowest may contain 1080p at 30 frames per second, if a content lacks their size
 * (`fittedLadder`).
 */
const levels: Readonly<Record<string, string>> = { '240p': '1f', '1080p': '2a' };
const usualLevel = '28';

/** The steps of the ladder up to a height, lowest first; at least one. */
export function castLadder(maxHeight: number): readonly LadderStep[] {
  return ladderSteps.filter(({ short }, index) => index === 0 || short <= maxHeight);
}

const [videoStart, audioStart] = ['video-', 'audio'];

/** File name of a track's playlist, without extension. */
export function castTrackName(track: CastTrack): string {
  if (track.kind === 'video') return videoStart + track.rendition;
  return track.language === null ? audioStart : `${audioStart}-${track.language}`;
}

/** Parses a name of `castTrackName`. Null: there is no such playlist. */
export function castTrackNamed(name: string, maxHeight: number): CastTrack | null {
  if (name === audioStart) return { kind: 'audio', language: null };
  if (name.startsWith(`${audioStart}-`)) return { kind: 'audio', language: name.slice(audioStart.length + 1) };
  const rendition = castLadder(maxHeight).find((step) => name === videoStart + step.name)?.name;
  return rendition === undefined ? null : { kind: 'video', rendition };
}

function audioIn(language: string): AlternateAudio {
  const uri = `${castTrackName({ kind: 'audio', language })}.m3u8`;
  return { ...originalAudio, name: labelOfLanguage(language), language, isDefault: false, uri };
}

const noLanguages: CastLanguages = { captions: [], audio: [] };

/** The master playlist, with video, audio and caption playlists in the same folder. */
export function castMasterPlaylist(maxHeight: number, { captions, audio }: CastLanguages = noLanguages): string {
  const master = variantPlaylist({
    alternateAudio: [originalAudio, ...audio.map(audioIn)],
    variants: castLadder(maxHeight).map(variantOf),
  });
  return withSubtitles(
    master,
    captions.map((language) => ({
      ...{ language, label: labelOfLanguage(language), kind: 'subtitles', forced: false, shownByDefault: false },
      uri: `${castCaptionsName(language)}.m3u8`,
    })),
  );
}

/** Omits FRAME-RATE: it would have to be 60, and players limited to 30 would not play the channel. */
function variantOf({ name, long, short, target, maximum }: LadderStep): VariantStream {
  return {
    ...{ uri: `${castTrackName({ kind: 'video', rendition: name })}.m3u8`, audioGroup: originalAudio.group },
    peak: maximum * 1000 * shareAtFullPace + audioBits,
    average: target * 1000 + audioBits,
    codecs: `avc1.6400${levels[name] ?? usualLevel},mp4a.40.2`,
    ...{ width: long, height: short, framesPerSecond: null },
  };
}
