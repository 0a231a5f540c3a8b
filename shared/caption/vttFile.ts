import { vttTime } from '../media/vttTime.js';
import { yieldingBatches } from '../platform/timeSlices.js';
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
  return headerOf(map) + blocksOf(cues);
}

/** So many cues are written before other work of the process gets its turn. */
const sliceCues = 2_000;

/** The same for any number of cues. Other work of the process runs in between. */
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
    const where = settings === '' ? '' : ` ${settings}`;
    return `\n${vttTime(startMs)} --> ${vttTime(endMs)}${where}\n${text}\n`;
  });
  return blocks.join('');
}
