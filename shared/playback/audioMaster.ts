import { audioTrackOfName, type ContentAudio } from '../content/audioTracks.js';
import { audioLine, type AlternateAudio } from '../content/variantStreams.js';
import { unknownLanguage } from '../platform/formats/language.js';

const lineStart = '#EXT-X-MEDIA:TYPE=AUDIO,';

/** An audio track in a stored master playlist. */
interface StoredAudio extends Pick<AlternateAudio, 'group' | 'channels' | 'uri'> {
  readonly trackId: number;
}

/**
 * Rewrites the audio tracks of a stored master playlist with the offered tracks, in the owner's order and with the owner's labels.
 * The playlist's tracks are unchanged if its renditions contain muxed audio, or if no offered track is stored.
 */
export function masterWithAudio(master: string, tracks: readonly ContentAudio[]): string {
  const lines = withoutAudioAlone(master.split('\n'));
  const stored = lines.filter((line) => line.startsWith(lineStart)).map(readAudioLine);
  const offered = tracks.filter(({ isOffered, trackId }) => isOffered && stored.some((one) => one.trackId === trackId));
  const [first] = offered;
  if (!first) return lines.join('\n');
  const groups = [...new Set(stored.map(({ group }) => group))];
  const written = groups.flatMap((group) =>
    offered.flatMap((track, index) => {
      const audio = stored.find((one) => one.group === group && one.trackId === track.trackId);
      return audio ? [offeredLine(audio, track, index === 0)] : [];
    }),
  );
  const at = lines.findIndex((line) => line.startsWith(lineStart));
  const others = lines.filter((line) => !line.startsWith(lineStart));
  return [...others.slice(0, at), ...written, ...others.slice(at)].join('\n');
}

/** Removes the audio-only variant, which earlier releases stored: `docs/decisions/media.md#audio-alone`. */
function withoutAudioAlone(lines: readonly string[]): string[] {
  const isAudio = (line: string | undefined): boolean => line !== undefined && trackOfUri(line) !== null;
  return lines.filter((line, index) => !isAudio(line) && !isAudio(lines[index + 1]));
}

function readAudioLine(line: string): StoredAudio {
  const valueOf = (name: string): string => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1] ?? '';
  const uri = valueOf('URI');
  return { group: valueOf('GROUP-ID'), channels: Number(valueOf('CHANNELS')), uri, trackId: trackOfUri(uri) ?? -1 };
}

function trackOfUri(uri: string): number | null {
  const [, name] = /^((?:audio|surround)-\d)(?:-[a-z0-9]+)?\.m3u8$/.exec(uri) ?? [];
  return audioTrackOfName(name ?? '')?.trackId ?? null;
}

function offeredLine(
  { group, channels, uri }: StoredAudio,
  { label, language }: ContentAudio,
  isDefault: boolean,
): string {
  const described = { name: label, language: language === unknownLanguage ? null : language };
  return audioLine({ group, channels, uri, isDefault, ...described });
}
