import type { SegmentFile } from '../../content/segmentFiles.js';
import type { Mp4Track } from '../../media/mp4/index.js';
import type { ContinuousTime } from './continuousTimes.js';

/*
 * The address of one track of a stored file contains all parameters of its bytes: the stored files and the time of the segment. The
 * complete path is signed, so clients cannot request a file with other times than those of the channel.
 *
 * track/<video or audio>/own/<key of an initialisation segment> track/<video or audio>/own/<key of its initialisation
 * segment>/at/<key of a segment> track/<video or audio>/channel/<key of an initialisation segment> track/<video or
 * audio>/<number>-<start>-<duration>-<next or join>[-<video start>]/<key of its initialisation segment>/at/<key of a segment>
 */

type TrackKind = Mp4Track['kind'];

const keyPattern = String.raw`(?:content|live|cast)\/[A-Za-z0-9._/-]+`;
const mapPattern = new RegExp(String.raw`^track\/(video|audio)\/(own|channel)\/(${keyPattern}\.mp4)$`);
const segmentPattern = new RegExp(
  String.raw`^track\/(video|audio)\/(own|[-0-9a-z]{1,70})\/(${keyPattern}\.mp4)\/at\/(${keyPattern}\.m4s)$`,
);
const timePattern = /^(\d{1,15})-(\d{1,16})-(\d{1,9})-(next|join)(?:-(\d{1,15}))?$/;

/** A parsed path: an initialisation segment or a segment of a track, with the times of its file or of a channel. */
export interface TrackPath {
  readonly kind: TrackKind;
  /** Null: the times of the file. `channel`: an initialisation segment for segments with the times of a channel. */
  readonly time: ContinuousTime | 'channel' | null;
  readonly map: string;
  /** Null: the initialisation segment. */
  readonly key: string | null;
}

export function trackMapPath(kind: TrackKind, times: 'own' | 'channel', { map }: Pick<SegmentFile, 'map'>): string {
  return `track/${kind}/${times}/${map}`;
}

/** `time` null: the times of the file. */
export function trackSegmentPath(
  kind: TrackKind,
  time: ContinuousTime | null,
  { key, map }: Pick<SegmentFile, 'key' | 'map'>,
): string {
  return `track/${kind}/${time ? timeSegment(time) : 'own'}/${map}/at/${key}`;
}

function timeSegment({ sequence, startsAt, duration, isJoin, videoStartsAt }: ContinuousTime): string {
  const place = `${sequence}-${startsAt}-${duration}-${isJoin ? 'join' : 'next'}`;
  return videoStartsAt === null ? place : `${place}-${videoStartsAt}`;
}

/** Parses a path whose grant was checked. Null: it is malformed. */
export function readTrackPath(path: string): TrackPath | null {
  const [, kind, times, ofSegment, key] = segmentPattern.exec(path) ?? [];
  if (key !== undefined && ofSegment !== undefined) {
    const time = times === 'own' ? null : readTime(times ?? '');
    return time === undefined ? null : { kind: kind as TrackKind, time, map: ofSegment, key };
  }
  const [, ofKind, form, map] = mapPattern.exec(path) ?? [];
  if (map === undefined) return null;
  return { kind: ofKind as TrackKind, time: form === 'channel' ? form : null, map, key: null };
}

function readTime(text: string): ContinuousTime | undefined {
  const [, sequence, startsAt, duration, place, videoStartsAt] = timePattern.exec(text) ?? [];
  if (place === undefined) return undefined;
  return {
    ...{ sequence: Number(sequence), startsAt: Number(startsAt), duration: Number(duration), isJoin: place === 'join' },
    videoStartsAt: videoStartsAt === undefined ? null : Number(videoStartsAt),
  };
}
