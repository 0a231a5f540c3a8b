import type { Context } from '../platform/context.js';

/** A segment of a content, from a frame up to another one (exclusive), that a program begins or ends with. */
export interface WantedCut {
  readonly contentId: string;
  readonly generation: number;
  readonly firstFrame: number;
  readonly endFrame: number;
  /** When the program that plays it is over. */
  readonly neededUntil: Date;
}

/** Has these cuts made by a worker, unless they are stored or have failed, and keeps their files until an hour after `neededUntil`. Idempotent. */
export async function wantCuts(_ctx: Context, _wants: readonly WantedCut[]): Promise<void> {
  throw new Error('not built');
}
