import Joi from 'joi';

/*
 * Half-second parts of a run's newest segments, in the memory of its live process, never stored. The live process sends their
 * state to web processes as JSON (`docs/decisions/live.md#low-latency`).
 */

/** Maximum duration of a part. All parts but a segment's last one have at least 85 percent of it (RFC 8216bis). */
export const partTargetSeconds = 0.55;

/** Minimum duration of a part that is not the last of its segment. */
export const shortestPartSeconds = 0.85 * partTargetSeconds;

export interface PartState {
  readonly durationMicroseconds: number;
  /** The part begins with a keyframe. */
  readonly isIndependent: boolean;
}

export interface PartRendition {
  readonly name: string;
  /** Initialisation segment: a file name, as in the row of the segment. */
  readonly map: string;
  /** The rendition has all its parts. */
  readonly isComplete: boolean;
  readonly parts: readonly PartState[];
}

/** A segment of a run that has parts. The state does not contain whether it has a row. */
export interface PartSegment {
  /** Number among the run's started segments, including abandoned ones; part of its parts' addresses. */
  readonly number: number;
  /** The same value as in the segment's row. */
  readonly startsAtMs: number;
  /** Start of the segment that is stored before it. Null: it is the first one of its run. */
  readonly previousStartsAtMs: number | null;
  /** A discontinuity separates it from the previous segment of the same run. */
  readonly isDiscontinuous: boolean;
  /** In the order of the rows. */
  readonly renditions: readonly PartRendition[];
}

/** A snapshot of a run's parts. */
export interface PartsState {
  readonly runId: string;
  /** Increases with every change. */
  readonly version: number;
  /** Start of the newest segment with a row. */
  readonly storedStartsAtMs: number | null;
  /** Oldest first. */
  readonly segments: readonly PartSegment[];
}

/** Identifies a part of a segment in a rendition. */
export interface PartAddress {
  readonly runId: string;
  /** Number of the segment. */
  readonly number: number;
  readonly part: number;
  readonly rendition: string;
}

const count = Joi.number().integer().min(0);
const moment = Joi.number().integer().allow(null).required();
const name = Joi.string()
  .pattern(/^\d{1,4}p$/)
  .required();
const map = Joi.string()
  .pattern(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\.mp4$/)
  .required();
const part = Joi.object({ durationMicroseconds: count.required(), isIndependent: Joi.boolean().required() });
const rendition = Joi.object({
  ...{ name, map, isComplete: Joi.boolean().required() },
  parts: Joi.array().items(part).max(100).required(),
});
const segment = Joi.object({
  ...{ number: count.required(), startsAtMs: count.required(), previousStartsAtMs: moment },
  isDiscontinuous: Joi.boolean().required(),
  renditions: Joi.array().items(rendition).min(1).max(10).required(),
});
const schema = Joi.object({
  ...{ runId: Joi.string().required(), version: count.required(), storedStartsAtMs: moment },
  segments: Joi.array().items(segment).max(20).required(),
});

/** Parses the response of a live process. Throws if it is invalid. */
export function readPartsState(runId: string, body: unknown): PartsState {
  const { value, error } = schema.validate(body, { convert: false });
  if (error) throw new Error(`invalid parts state: ${error.message}`);
  const parts = value as PartsState;
  if (parts.runId !== runId) throw new Error('parts state of another run');
  return parts;
}
