import { stalledMs, type ArrivedMedia, type EncodingProgress } from './progress.js';
import type { EncodingEnd } from './packagingState.js';

/** Why ffmpeg is to be replaced now. Null if it keeps up, or waits because the storage takes no segments. */
export function faultOf(progress: EncodingProgress, arrived: ArrivedMedia, isOutputOpen: boolean): EncodingEnd | null {
  const now = performance.now();
  if (!isOutputOpen) {
    progress.wait(now);
    return null;
  }
  const fault = progress.check(arrived, now);
  if (fault === 'stalled') return { kind: 'failed', detail: `ffmpeg has written nothing for ${stalledMs / 1000} s` };
  return fault && { kind: fault };
}
