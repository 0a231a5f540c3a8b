import { labelOfLanguage, languageTag, unknownLanguage } from '../platform/formats/language.js';

/** An audio track of a content: an audio stream of its source with the language and label for viewers. */
export interface ContentAudio {
  /** Index among the audio streams of the source, from 0. */
  readonly trackId: number;
  /** BCP 47; `und` if unknown. */
  readonly language: string;
  readonly label: string;
  readonly channels: number;
  /** False: the owner has removed it. */
  readonly isOffered: boolean;
}

/** Metadata of an audio stream in its source. */
export interface DescribedAudio {
  readonly trackId: number;
  readonly language: string;
  readonly title: string;
  readonly channels: number;
}

const maxLabel = 100;

/**
 * The tracks of a source with the metadata of its file: the default track first, the others in file order. Labels are unique,
 * because players distinguish tracks by label.
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
  const cleaned = title
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, maxLabel);
  if (cleaned !== '') return cleaned;
  if (language !== unknownLanguage) return labelOfLanguage(language);
  return trackId === null ? 'Original' : `Audio ${trackId + 1}`;
}

function unlike(taken: ReadonlySet<string>, label: string): string {
  let candidate = label;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${label} ${number}`;
  return candidate;
}

/** A track without metadata: the silence of a content without audio, and the audio of live publications. */
export const undescribedTrack: ContentAudio = {
  ...{ trackId: 0, language: unknownLanguage, label: 'Original', channels: 2, isOffered: true },
};

/** The encodings of an audio stream: stereo, and all channels if the source has more than two. */
export type AudioLayout = 'audio' | 'surround';

/** Name and folder of an encoded audio track in a generation. */
export function audioTrackName(layout: AudioLayout, trackId: number): string {
  return `${layout}-${trackId}`;
}

/** Parses a name of `audioTrackName`. Null: the name of a video rendition. */
export function audioTrackOfName(name: string): { readonly sound: AudioLayout; readonly trackId: number } | null {
  const [, sound, trackId] = /^(audio|surround)-(\d)$/.exec(name) ?? [];
  return sound === undefined ? null : { sound: sound as AudioLayout, trackId: Number(trackId) };
}
