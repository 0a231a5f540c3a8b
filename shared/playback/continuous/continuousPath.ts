import type { SegmentFile } from '../../content/segmentFiles.js';
import type { ContinuousTime } from './continuousTimes.js';

/*
 * The addresses of the continuous form contain all that its bytes follow from: the stored files and the time of the segment. They
 * are signed as a whole, so nobody gets a file with another time than that of the channel.
 *
 *   continuous/<key of an initialisation segment>
 *   continuous/<number>-<start>-<duration>-<next or join>/<key of its initialisation segment>/at/<key of a segment>
 */

const separator = '/at/';
const mapPattern = /^continuous\/((?:content|live|cast)\/[A-Za-z0-9._/-]+\.mp4)$/;
const segmentPattern =
  /^continuous\/(\d{1,15})-(\d{1,16})-(\d{1,9})-(next|join)\/((?:content|live|cast)\/[A-Za-z0-9._/-]+\.mp4)\/at\/((?:content|live|cast)\/[A-Za-z0-9._/-]+\.m4s)$/;

/** What a path is for: an initialisation segment, or a segment at a time. */
export type ContinuousPath = { readonly map: string } | { readonly file: SegmentFile; readonly time: ContinuousTime };

export function continuousMapPath({ map }: Pick<SegmentFile, 'map'>): string {
  return `continuous/${map}`;
}

export function continuousSegmentPath(time: ContinuousTime, { key, map }: SegmentFile): string {
  const { sequence, startsAt, duration, isJoin } = time;
  return `continuous/${sequence}-${startsAt}-${duration}-${isJoin ? 'join' : 'next'}/${map}${separator}${key}`;
}

/** Reads a path whose grant was checked. Null: it is neither. */
export function readContinuousPath(path: string): ContinuousPath | null {
  const [, map] = mapPattern.exec(path) ?? [];
  const [, sequence, startsAt, duration, place, ofSegment, key] = segmentPattern.exec(path) ?? [];
  if (key !== undefined && ofSegment !== undefined) {
    const numbers = { sequence: Number(sequence), startsAt: Number(startsAt), duration: Number(duration) };
    return { file: { key, map: ofSegment }, time: { ...numbers, isJoin: place === 'join' } };
  }
  return map === undefined ? null : { map };
}
