import type { Context } from '../../../shared/platform/context.js';
import type { Logger } from '../../../shared/platform/log.js';
import type { PulledAddress } from './pulledStream.js';
import type { RunSource } from './runSource.js';
import type { PackagedRun } from './segmentWriter.js';
import type { EncodedPart } from './segmenter.js';

/** A part of a segment of a run. */
export interface PackagedPart extends EncodedPart {
  /** Counts the encodings of the run from 0. With a new one, segments of the one before that are not complete are given up. */
  readonly encoding: number;
  /** When its first frame was captured. Of the first part of the first rendition: the time of the row of the segment. */
  readonly startsAt: Date;
  /** Names of all renditions of the encoding, highest first. */
  readonly renditions: readonly string[];
  /** Initialisation segment of its rendition. */
  readonly initialisation: Buffer;
}

/** A segment by its numbers in `PackagedPart`. */
export type PackagedSegment = Pick<PackagedPart, 'encoding' | 'segment'>;

/** A rendition that is not made any more, because the machine is too slow. */
export interface DroppedRendition {
  readonly name: string;
  readonly remaining: readonly string[];
}

export interface PackageOptions {
  readonly ctx: Context;
  readonly log: Logger;
  /** What an encoder publishes, or an address of an external server. */
  readonly source: RunSource | PulledAddress;
  readonly run: PackagedRun;
  /** Aborts when the lease is lost or the process ends: ffmpeg is killed, and nothing more is written. */
  readonly signal: AbortSignal;
  /** Media has arrived, in so many bytes of FLV. */
  readonly onMedia?: (at: Date, bytes: number) => void;
  readonly onRenditionDropped?: (dropped: DroppedRendition) => void;
  /** Each part of half a second when it is encoded: before its segment is complete, and before anything is stored. */
  readonly onPart?: (part: PackagedPart) => void;
  /** A segment has all its parts in all renditions, and will be stored as they are. */
  readonly onComplete?: (segment: PackagedSegment) => void;
  /** The row of a segment is written. */
  readonly onStored?: (segment: PackagedSegment) => void;
}
