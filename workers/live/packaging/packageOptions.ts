import type { Context } from '../../../shared/platform/context.js';
import type { Logger } from '../../../shared/platform/log.js';
import type { PulledAddress } from './pulledStream.js';
import type { RunSource } from './runSource.js';
import type { PackagedRun } from './segmentWriter.js';
import type { EncodedPart } from './segmenter.js';

/** A part of a segment of a run. */
export interface PackagedPart extends EncodedPart {
  /** Number of the encoding in the run, from 0. A new encoding discards the incomplete segments of the previous one. */
  readonly encoding: number;
  /** Capture time of the first frame. That of the first part of the first rendition is the time in the segment's row. */
  readonly startsAt: Date;
  /** Names of all renditions of the encoding, highest first. */
  readonly renditions: readonly string[];
  /** Initialisation segment of the rendition. */
  readonly initialisation: Buffer;
}

/** A segment by its numbers in `PackagedPart`. */
export type PackagedSegment = Pick<PackagedPart, 'encoding' | 'segment'>;

/** A rendition that is no longer encoded, because the machine is too slow. */
export interface DroppedRendition {
  readonly name: string;
  readonly remaining: readonly string[];
}

export interface PackageOptions {
  readonly ctx: Context;
  readonly log: Logger;
  /** The publication of an encoder, or an address of an external server. */
  readonly source: RunSource | PulledAddress;
  readonly run: PackagedRun;
  /** Aborts when the lease is lost or the process ends: ffmpeg is killed, and no more files or rows are written. */
  readonly signal: AbortSignal;
  /** Called when media has arrived; `bytes`: its size as FLV. */
  readonly onMedia?: (at: Date, bytes: number) => void;
  readonly onRenditionDropped?: (dropped: DroppedRendition) => void;
  /** Called for each half-second part when it is encoded, before its segment is complete or stored. */
  readonly onPart?: (part: PackagedPart) => void;
  /** Called when a segment has all its parts in all renditions. The parts are stored unchanged. */
  readonly onComplete?: (segment: PackagedSegment) => void;
  /** Called when the row of a segment is written. */
  readonly onStored?: (segment: PackagedSegment) => void;
}
