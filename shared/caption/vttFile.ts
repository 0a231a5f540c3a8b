import { vttTime } from '../media/vttTime.js';
import type { Cue } from './cue.js';

/** How the times of cues relate to those of the media beside them. */
export interface TimestampMap {
  /** A time of the cues. */
  readonly localMs: number;
  /** The same moment in the media, in ticks of 90 kHz. */
  readonly mpegTicks: number;
}

/**
 * A WebVTT file. With `map`, a segment of HLS (RFC 8216, 3.5): without it, the time 0 of cues is the time 0 of the media.
 */
export function vttFile(cues: readonly Cue[], map?: TimestampMap): string {
  const header = map ? `\nX-TIMESTAMP-MAP=LOCAL:${vttTime(map.localMs)},MPEGTS:${map.mpegTicks}` : '';
  const blocks = cues.map(({ startMs, endMs, text, settings }) => {
    const where = settings === '' ? '' : ` ${settings}`;
    return `\n${vttTime(startMs)} --> ${vttTime(endMs)}${where}\n${text}\n`;
  });
  return `WEBVTT${header}\n${blocks.join('')}`;
}

/** The cues that are shown at some time between these two. */
export function cuesBetween(cues: readonly Cue[], fromMs: number, toMs: number): Cue[] {
  return cues.filter(({ startMs, endMs }) => startMs < toMs && endMs > fromMs);
}
