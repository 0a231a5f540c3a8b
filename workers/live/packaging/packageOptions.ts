import type { Readable } from 'node:stream';
import type { Context } from '../../../shared/platform/context.js';
import type { Logger } from '../../../shared/platform/log.js';
import type { PackagedRun } from './segmentWriter.js';
import type { EncodedPart } from './segmenter.js';

/** What an encoder publishes: an FLV stream that arrives, or an address of an external server. */
export type RunSource =
  | { readonly kind: 'flv'; readonly stream: Readable }
  | { readonly kind: 'url'; readonly url: string };

/** A rendition that is not made any more, because the machine is too slow. */
export interface ShedRendition {
  readonly name: string;
  readonly remaining: readonly string[];
}

export interface PackageOptions {
  readonly ctx: Context;
  readonly log: Logger;
  readonly source: RunSource;
  readonly run: PackagedRun;
  /** Aborts when the lease is lost or the process ends: ffmpeg is killed, and nothing more is written. */
  readonly signal: AbortSignal;
  /** Media has arrived. */
  readonly onMedia?: (at: Date) => void;
  readonly onShed?: (shed: ShedRendition) => void;
  /** Each part of half a second when it is encoded: before its segment is complete, and before anything is stored. */
  readonly onPart?: (part: EncodedPart) => void;
}
