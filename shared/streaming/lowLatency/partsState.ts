import Joi from 'joi';

/*
 * Parts of half a second of the newest segments of a run: in the memory of its live process, never stored. A live process
 * sends their state to web processes as JSON (`docs/decisions/live.md#low-latency`).
 */

/** No part is longer; all but the last of a segment have at least 85 percent of it (RFC 8216bis). */
export const partTargetSeconds = 0.55;

/** The shortest part that is not the last of its segment. */
export const shortestPartSeconds = 0.85 * partTargetSeconds;

export interface PartState {
  readonly durationMicroseconds: number;
  /** Begins with a keyframe. */
  readonly isIndependent: boolean;
}

export interface PartRendition {
  readonly name: string;
  /** Initialisation segment: a file name, as in the row of the segment. */
  readonly map: string;
  /** All its parts are there. */
  readonly isComplete: boolean;
  readonly parts: readonly PartState[];
}

/** A segment of a run that has parts. Whether it has a row already is only known from the rows. */
export interface PartSegment {
  /** Counts the segments of the run that were begun, also those that were given up: part of the addresses of its parts. */
  readonly number: number;
  /** As in its row. */
  readonly startsAtMs: number;
  /** The same of the segment that is stored before it. Null: it is the first one of its run. */
  readonly previousStartsAtMs: number | null;
  /** A discontinuity is between the segment before it and this one, in the same run. */
  readonly isDiscontinuous: boolean;
  /** In the order of the rows. */
  readonly renditions: readonly PartRendition[];
}

/** The parts of a run at one moment. */
export interface PartsState {
  readonly runId: string;
  /** Increases with every change. */
  readonly version: number;
  /** When the newest segment that has a row starts. */
  readonly storedStartsAtMs: number | null;
  /** Oldest first. */
  readonly segments: readonly PartSegment[];
}

/** Part of a segment of a rendition, by its numbers. */
export interface PartAddress {
  readonly runId: string;
  /** Of the segment. */
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

/** Reads what a live process has sent. Throws where it is anything else. */
export function readPartsState(runId: string, body: unknown): PartsState {
  const { value, error } = schema.validate(body, { convert: false });
  if (error) throw new Error(`state of parts: ${error.message}`);
  const parts = value as PartsState;
  if (parts.runId !== runId) throw new Error('state of parts of another run');
  return parts;
}
