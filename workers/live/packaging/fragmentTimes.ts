import { audioSampleRate } from '../../../shared/media/audioPackets.js';
import {
  decodingInside,
  audioLeadSeconds,
  correctedFragment,
  type Mp4Track,
  type TrackRuns,
  type CorrectedTimes,
  type SegmentEnds,
} from '../../../shared/media/mp4/index.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { EncodingStart } from './encodingStart.js';

/*
 * Video and audio of a live segment begin together, and its decoding times lie within its presentation times, as in contents
 * (`segmentTimes.ts`), so that players find no gap when a cast channel joins live and other segments.
 */

/** The muxer delays video until it has the audio, so the lead is limited even if frames have a longer delay. */
const maxLeadSeconds = 0.5;

/** Seconds by which the muxer receives audio before its video; a whole number of samples. */
export interface AudioLeads {
  readonly copied: number;
  readonly encoded: number;
}

export function audioLeadsOf(plan: EncodingPlan, { decodingDelayMs }: EncodingStart, preset: string): AudioLeads {
  const encoded = audioLeadSeconds(plan, preset);
  const copied = Math.floor((decodingDelayMs * audioSampleRate) / 1000) / audioSampleRate;
  const within = (seconds: number): number => Math.max(0, Math.min(maxLeadSeconds, seconds));
  return { copied: within(copied), encoded: within(encoded) };
}

/** Corrects the times of one rendition's fragments, in order. */
export class FragmentTimes {
  /** Delay from decoding to presentation of the segment's first keyframe, in ticks. 0: the segment's times are unchanged. */
  #delay = 0;

  constructor(private readonly audioLead: number) {}

  /** `data`: the boxes of a fragment. Throws DamagedMediaError. */
  correct(data: readonly Buffer[], tracks: readonly Mp4Track[], ends: SegmentEnds): readonly Buffer[] {
    return data.map((box) =>
      box.toString('latin1', 4, 8) === 'moof'
        ? correctedFragment(box, tracks, this.audioLead, (run) => this.#timesOf(run, ends))
        : box,
    );
  }

  #timesOf({ decodeTime, samples }: TrackRuns, ends: SegmentEnds): CorrectedTimes | null {
    const delay = ends.isFirst ? (samples[0]?.offset ?? 0) : this.#delay;
    const times = decodingInside(decodeTime, samples, ends, delay);
    if (ends.isFirst) this.#delay = times ? delay : 0;
    return times;
  }
}
