import type { FrameRate } from '../media/frameRate.js';
import { contentSegmentSeconds } from '../media/segmentSeconds.js';
import { unknownLanguage } from '../platform/formats/language.js';
import { audioTrackOfName, type AudioLayout } from './audioTracks.js';
import type { PlannedAudio } from './plan.js';
import { playlistName, type PlaylistKind } from './storageKeys.js';
import { bandwidthOf, variantPlaylist, type AlternateAudio, type VariantStream } from './variantStreams.js';

/** One segment in a playlist; URIs are relative to the playlist. */
export interface PlaylistSegment {
  readonly uri: string;
  readonly durationSeconds: number;
  readonly bytes: number;
  /** Initialisation segment; the playlist repeats it if it differs from the previous one. */
  readonly map: string;
  /** Its timestamps do not continue those of the previous segment. */
  readonly isDiscontinuous?: boolean;
}

export interface PlaylistRendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** RFC 6381: `avc1.64001f,mp4a.40.2`. */
  readonly codecs: string;
  readonly segments: readonly PlaylistSegment[];
}

/** An audio track in separate files. */
export interface PlaylistAudio extends Pick<PlannedAudio, 'name' | 'language' | 'label' | 'channels'> {
  readonly codecs: string;
  readonly segments: readonly PlaylistSegment[];
}

export interface PlaylistOptions extends PlaylistKind {
  /** Maximum rounded segment duration; the same in every playlist of a rendition. */
  readonly targetSeconds: number;
}

/** All full generations share these values, so that linear channels can join their segments. */
const completeOptions: PlaylistOptions = { state: 'complete', targetSeconds: contentSegmentSeconds };

/** The playlist of one rendition (RFC 8216). */
export function mediaPlaylist(segments: readonly PlaylistSegment[], options = completeOptions): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${options.targetSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${options.state === 'complete' ? 'VOD' : 'EVENT'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  // Without the tag `EXT-X-START`, players start an event playlist in progress at its end.
  if (options.state !== 'complete') lines.push('#EXT-X-START:TIME-OFFSET=0');
  let map = '';
  for (const segment of segments) {
    if (segment.isDiscontinuous) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.map !== map || segment.isDiscontinuous) lines.push(`#EXT-X-MAP:URI="${segment.map}"`);
    map = segment.map;
    lines.push(`#EXTINF:${segment.durationSeconds.toFixed(6)},`, segment.uri);
  }
  if (options.state !== 'growing') lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

/**
 * The master playlist. Its media playlists are in the same folder (`playlistName`). Stereo and surround are audio groups; each
 * group contains all tracks, and a track without surround is in both groups in stereo. The middle rendition is first, because
 * players start with it. There is no audio-only variant: `docs/decisions/media.md#audio-alone`. `audio`: default track first; empty
 * if the renditions contain muxed audio.
 */
export function masterPlaylist(
  { renditions, audio = [], frameRate }: MasterTracks,
  kind: PlaylistKind = completeOptions,
): string {
  const framesPerSecond = frameRate[0] / frameRate[1];
  const variantsWith = (group?: AudioGroup): VariantStream[] =>
    renditions.map(({ name, segments, codecs, width, height }) => {
      const { peak, average } = bandwidthOf(segments);
      const stream = { uri: playlistName(name, kind), width, height, framesPerSecond };
      if (!group) return { ...stream, peak, average, codecs };
      const bandwidth = { peak: peak + group.peak, average: average + group.average };
      return { ...stream, ...bandwidth, codecs: `${codecs},${group.codecs}`, audioGroup: group.name };
    });
  if (audio.length === 0) return variantPlaylist({ variants: variantsWith() });
  const groups = audioGroups(audio);
  const [stereo] = groups as [AudioGroup];
  return variantPlaylist({
    alternateAudio: groups.flatMap((group) => alternateAudio(group, kind)),
    variants: variantsWith(stereo),
    others: groups.slice(1).flatMap(variantsWith),
  });
}

/** The contents of a master playlist. */
export interface MasterTracks {
  readonly renditions: readonly PlaylistRendition[];
  readonly audio?: readonly PlaylistAudio[];
  readonly frameRate: FrameRate;
}

interface AudioGroup {
  readonly name: AudioLayout;
  readonly tracks: readonly PlaylistAudio[];
  readonly codecs: string;
  /** Peak bits per second of the largest track. */
  readonly peak: number;
  readonly average: number;
}

function audioGroups(audio: readonly PlaylistAudio[]): AudioGroup[] {
  const of = (layout: AudioLayout): PlaylistAudio[] =>
    audio.filter(({ name }) => audioTrackOfName(name)?.sound === layout);
  const stereo = of('audio');
  const surround = of('surround');
  const better = stereo.map((track) => surround.find((one) => trackIdOf(one) === trackIdOf(track)) ?? track);
  return [groupOf('audio', stereo), ...(surround.length > 0 ? [groupOf('surround', better)] : [])];
}

function groupOf(name: AudioLayout, tracks: readonly PlaylistAudio[]): AudioGroup {
  const bandwidths = tracks.map(({ segments }) => bandwidthOf(segments));
  return {
    ...{ name, tracks, codecs: tracks[0]?.codecs ?? '' },
    peak: Math.max(...bandwidths.map(({ peak }) => peak)),
    average: Math.max(...bandwidths.map(({ average }) => average)),
  };
}

function trackIdOf({ name }: PlaylistAudio): number | undefined {
  return audioTrackOfName(name)?.trackId;
}

function alternateAudio({ name: group, tracks }: AudioGroup, kind: PlaylistKind): AlternateAudio[] {
  return tracks.map(({ name, language, label, channels }, index) => ({
    ...{ group, name: label, isDefault: index === 0, channels, uri: playlistName(name, kind) },
    language: language === unknownLanguage ? null : language,
  }));
}
