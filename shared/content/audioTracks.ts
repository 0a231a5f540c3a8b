import { labelOfLanguage, languageTag, unknownLanguage } from '../platform/formats/language.js';

/** An audio stream of a source, as viewers are offered it. */
export interface ContentAudio {
  /** Its place among the audio streams of the source, from 0. */
  readonly trackId: number;
  /** BCP 47; `und` where it is not known. */
  readonly language: string;
  readonly label: string;
  readonly channels: number;
  /** False: the owner has removed it. */
  readonly isOffered: boolean;
}

/** What a source says about an audio stream. */
export interface DescribedAudio {
  readonly trackId: number;
  readonly language: string;
  readonly title: string;
  readonly channels: number;
}

const maxLabel = 100;

/**
 * The tracks of a source as its file describes them: its default track first, the others in its order. No two have the same label: players
 * tell them apart by it.
 */
export function describedTracks(
  streams: readonly DescribedAudio[],
  defaultTrackId: number | undefined,
): ContentAudio[] {
  const taken = new Set<string>();
  const tracks = streams.map(({ trackId, language, title, channels }) => {
    const tag = languageTag(language) ?? unknownLanguage;
    const label = unlike(taken, labelOf(tag, title, streams.length === 1 ? null : trackId));
    taken.add(label);
    return { trackId, language: tag, label, channels, isOffered: true };
  });
  const isDefault = ({ trackId }: ContentAudio): number => Number(trackId === defaultTrackId);
  return tracks.toSorted((one, other) => isDefault(other) - isDefault(one));
}

function labelOf(language: string, title: string, trackId: number | null): string {
  const given = title
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, maxLabel);
  if (given !== '') return given;
  if (language !== unknownLanguage) return labelOfLanguage(language);
  return trackId === null ? 'Original' : `Audio ${trackId + 1}`;
}

function unlike(taken: ReadonlySet<string>, label: string): string {
  let candidate = label;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${label} ${number}`;
  return candidate;
}

/** A track that nothing is said about: the silence of a content without audio, and what encoders publish live. */
export const undescribedTrack: ContentAudio = {
  ...{ trackId: 0, language: unknownLanguage, label: 'Original', channels: 2, isOffered: true },
};

/** What is encoded of an audio stream: in stereo, and where the source has more channels, all of them. */
export type AudioLayout = 'audio' | 'surround';

/** Name and folder of the audio of a track in a generation. */
export function audioTrackName(sound: AudioLayout, trackId: number): string {
  return `${sound}-${trackId}`;
}

/** The track of a name of `audioTrackName`. Null: it is of video. */
export function audioTrackOfName(name: string): { readonly sound: AudioLayout; readonly trackId: number } | null {
  const [, sound, trackId] = /^(audio|surround)-(\d)$/.exec(name) ?? [];
  return sound === undefined ? null : { sound: sound as AudioLayout, trackId: Number(trackId) };
}
