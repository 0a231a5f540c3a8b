import { vttTime } from '../media/vttTime.js';
import { yieldingBatches } from '../platform/timeSlices.js';
import type { Cue } from './cue.js';

/** Maps the times of cues to those of the media (`X-TIMESTAMP-MAP`). */
export interface TimestampMap {
  /** A time in the cues. */
  readonly localMs: number;
  /** The same moment in the media, in 90 kHz ticks. */
  readonly mpegTicks: number;
}

/**
 * A WebVTT file. With `map`, it is an HLS segment (RFC 8216, 3.5); without it, time 0 of the cues is time 0 of the
 * media.
 */
export function vttFile(cues: readonly Cue[], map?: TimestampMap): string {
  return headerOf(map) + blocksOf(cues);
}

/** Cues to write before yielding to the event loop. */
const sliceCues = 2_000;

/** `vttFile` for any number of cues. Yields to the event loop between slices. */
export async function vttFileInSlices(cues: readonly Cue[], map?: TimestampMap): Promise<string> {
  let file = headerOf(map);
  for await (const slice of yieldingBatches(cues, sliceCues)) file += blocksOf(slice);
  return file;
}

function headerOf(map?: TimestampMap): string {
  const line = map ? `\nX-TIMESTAMP-MAP=LOCAL:${vttTime(map.localMs)},MPEGTS:${map.mpegTicks}` : '';
  return `WEBVTT${line}\n`;
}

function blocksOf(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startMs, endMs, text, settings }) => {
    const position = settings === '' ? '' : ` ${settings}`;
    return `\n${vttTime(startMs)} --> ${vttTime(endMs)}${position}\n${text}\n`;
  });
  return blocks.join('');
}
