import { ValidationError } from '../../platform/errors.js';
import { nearestRendition, type ListedSegment } from '../listedSegment.js';
import { maxSegmentMicroseconds } from '../segment.service.js';
import type { ListedParts } from './listParts.js';
import { partTargetSeconds, shortestPartSeconds } from './partsState.js';

/** The segment or part that a client waits for (`_HLS_msn`, `_HLS_part`). */
export interface ReloadTarget {
  readonly sequence: number;
  readonly part: number | null;
}

/** RFC 8216bis: requests for media further ahead are errors. */
const segmentsAhead = 2;
const partsAhead = Math.ceil(3 / partTargetSeconds);
/** Maximum parts of a segment, plus the parts ahead that a client may wait for. */
const maxParts = Math.ceil(maxSegmentMicroseconds / 1e6 / shortestPartSeconds) + partsAhead;

/** Null if the client does not wait. Throws ValidationError. */
export function reloadTargetOf(parameters: URLSearchParams): ReloadTarget | null {
  const sequence = numberIn(parameters, '_HLS_msn');
  const part = numberIn(parameters, '_HLS_part');
  if (sequence === null && part !== null) throw invalid('_HLS_msn', 'required');
  return sequence === null ? null : { sequence, part };
}

function numberIn(parameters: URLSearchParams, name: string): number | null {
  const sent = parameters.get(name);
  if (sent === null) return null;
  if (!/^\d{1,9}$/.test(sent)) throw invalid(name, 'integer');
  return Number(sent);
}

/**
 * Whether a player can wait for a target. Other numbers may be answered too, but must not be cached: one playlist would have an
 * unlimited number of addresses.
 */
export function isPlausibleTarget(last: ListedSegment, { sequence, part }: ReloadTarget): boolean {
  return sequence <= last.sequence + segmentsAhead && (part ?? 0) < maxParts;
}

/** Whether a rendition's playlist contains the requested segment or part. Throws ValidationError if it is too far ahead. */
export function isReloadTargetReached(
  last: ListedSegment,
  parts: ListedParts,
  rendition: string,
  target: ReloadTarget,
): boolean {
  const { sequence, part } = target;
  if (sequence > last.sequence + segmentsAhead) throw tooFar('_HLS_msn', last.sequence + segmentsAhead);
  if (part === null) return sequence <= last.sequence;
  const { next, complete } = parts;
  if (sequence <= last.sequence) {
    const ofSegment = complete.get(sequence);
    const count = ofSegment && nearestRendition(ofSegment.renditions, rendition).parts.length;
    // A part number after the last part of a segment means the first part of the next segment.
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
