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
 * The video and the audio of a live segment begin together, and its decoding begins and ends with its presentation, as in
 * contents (`segmentTimes.ts`): where a cast channel joins live segments with others, no player finds a hole.
 */

/** The muxer keeps video back until it has the audio, so frames with a longer delay get less. */
const maxLeadSeconds = 0.5;

/** How much earlier than its video the muxer gets the audio: seconds, a whole number of samples. */
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

/** Corrects the fragments of one rendition, in their order. */
export class FragmentTimes {
  /** From decoding to presentation, in ticks: of the keyframe that began the segment. 0: its times stay as they are. */
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
