import { ValidationError } from '../../platform/errors.js';
import { nearestRendition, type ListedSegment } from '../listedSegment.js';
import { maxSegmentMicroseconds } from '../segment.service.js';
import type { ListedParts } from './listParts.js';
import { partTargetSeconds, shortestPartSeconds } from './partsState.js';

/** What a client waits for (`_HLS_msn`, `_HLS_part`): a segment, or a part of it. */
export interface ReloadTarget {
  readonly sequence: number;
  readonly part: number | null;
}

/** RFC 8216bis: requests for media further ahead are errors. */
const segmentsAhead = 2;
const partsAhead = Math.ceil(3 / partTargetSeconds);
/** Of any segment, and of what may be waited for behind it. */
const maxParts = Math.ceil(maxSegmentMicroseconds / 1e6 / shortestPartSeconds) + partsAhead;

/** Null where the client does not wait. Throws ValidationError. */
export function reloadTargetOf(parameters: URLSearchParams): ReloadTarget | null {
  const sequence = numberIn(parameters, '_HLS_msn');
  const part = numberIn(parameters, '_HLS_part');
  if (sequence === null && part !== null) throw invalid('_HLS_msn', 'required');
  return sequence === null ? null : { sequence, part };
}

function numberIn(parameters: URLSearchParams, name: string): number | null {
  const given = parameters.get(name);
  if (given === null) return null;
  if (!/^\d{1,9}$/.test(given)) throw invalid(name, 'integer');
  return Number(given);
}

/**
 * Whether a player can wait for a target. Other numbers may get a response as well, but if caches stored it, one playlist would have any
 * number of addresses.
 */
export function isPlausibleTarget(last: ListedSegment, { sequence, part }: ReloadTarget): boolean {
  return sequence <= last.sequence + segmentsAhead && (part ?? 0) < maxParts;
}

/** Whether a playlist of a rendition contains what a client waits for. Throws ValidationError where that is too far ahead. */
export function isReloadTargetReached(
  last: ListedSegment,
  parts: ListedParts,
  rendition: string,
  target: ReloadTarget,
): boolean {
  const { sequence, part } = target;
  if (sequence > last.sequence + segmentsAhead) throw tooFar('_HLS_msn', last.sequence + segmentsAhead);
  if (part === null) return sequence <= last.sequence;
  const { next, whole } = parts;
  if (sequence <= last.sequence) {
    const ofSegment = whole.get(sequence);
    const count = ofSegment && nearestRendition(ofSegment.renditions, rendition).parts.length;
    // A part behind the last one of its segment is the first one of the next segment.
    if (count === undefined || part < count || sequence < last.sequence) return true;
    if (part >= count + partsAhead) throw tooFar('_HLS_part', count + partsAhead - 1);
    return next !== null;
  }
  const isNext = sequence === last.sequence + 1;
  const listed = isNext && next ? nearestRendition(next.segment.renditions, rendition).parts.length : 0;
  if (part >= listed + partsAhead) throw tooFar('_HLS_part', listed + partsAhead - 1);
  return part < listed;
}

function tooFar(field: string, limit: number): ValidationError {
  return invalid(field, 'maximum', { limit });
}

function invalid(field: string, code: string, values = {}): ValidationError {
  return new ValidationError([{ field, code, key: `validation.${code}`, values }]);
}
