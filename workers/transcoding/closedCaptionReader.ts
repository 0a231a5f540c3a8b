import { cueBytes, maxCaptionBytes, maxCues, type Cue } from '../../shared/caption/cue.js';
import { escapeCueText } from '../../shared/caption/cueText.js';
import type { LeftOutReason } from '../../shared/content/leftOutSubtitles.js';
import {
  CaptionDecoder,
  captionChannels,
  ChannelDivider,
  frameCaptionsIn,
  type DecodedCaption,
  type CaptionChannel,
  type CaptionPair,
} from '../../shared/media/closedCaptions/index.js';
import { FragmentReader, DamagedMediaError, trackRunsIn, type Fragment } from '../../shared/media/mp4/index.js';

/** Number of frames that are buffered for reordering. In H.264 and HEVC, a frame is reordered by at most 16 frames. */
const maxReordered = 32;

/** The cues of a channel, or the reason why they are left out. */
export interface ReadChannel {
  readonly channel: CaptionChannel;
  readonly read: readonly Cue[] | LeftOutReason;
}

interface ReadFrame {
  readonly ms: number;
  readonly pairs: readonly CaptionPair[];
}

/** Reads the closed captions of a video from the output of `closedCaptionCommand`. Keeps one fragment and the cues in memory. */
export class ClosedCaptionReader {
  readonly #reader = new FragmentReader({ codecsOf: () => '' });
  readonly #divider = new ChannelDivider();
  readonly #channels = new Map<CaptionChannel, ChannelCues>();
  /** In presentation order. */
  readonly #frames: ReadFrame[] = [];
  #lastMs = 0;
  #hasDigitalService = false;

  /** `startMs`: the source time at which the content begins. */
  constructor(private readonly startMs: number) {}

  /** Throws DamagedMediaError. */
  push(data: Buffer): void {
    for (const fragment of this.#reader.push(data)) this.#takeFragment(fragment);
  }

  /** Called at the end. Returns all channels that have text. */
  finish(): ReadChannel[] {
    for (const frame of this.#frames.splice(0)) this.#decode(frame);
    return captionChannels.flatMap((channel): ReadChannel[] => {
      const read = this.#channels.get(channel)?.end(this.#lastMs) ?? [];
      return read.length === 0 ? [] : [{ channel, read }];
    });
  }

  /**
   * Whether there are CEA-708 captions. Their text is not read, because programs repeat it in CEA-608, unless `finish` returns no
   * channel.
   */
  get hasDigitalService(): boolean {
    return this.#hasDigitalService;
  }

  #takeFragment({ data }: Fragment): void {
    const [moof, media] = [data.find((box) => box.toString('latin1', 4, 8) === 'moof'), data.at(-1)];
    if (!moof || !media) return;
    const timescale = this.#reader.initialisation?.tracks[0]?.timescale ?? 1;
    for (const { decodeTime, samples } of trackRunsIn(moof)) {
      let tick = decodeTime;
      for (const { duration, offset, bytes, position } of samples) {
        const at = position - moof.length;
        if (at < 8 || at + bytes > media.length) throw new DamagedMediaError('a sample outside of its fragment');
        const { pairs, hasDigitalService } = frameCaptionsIn(media.subarray(at, at + bytes));
        this.#hasDigitalService ||= hasDigitalService;
        this.#order({ ms: Math.round(((tick + offset) * 1000) / timescale) - this.startMs, pairs });
        tick += duration;
      }
    }
  }

  #order(frame: ReadFrame): void {
    const frames = this.#frames;
    frames.splice(frames.findLastIndex(({ ms }) => ms <= frame.ms) + 1, 0, frame);
    if (frames.length > maxReordered) this.#decode(frames.shift() as ReadFrame);
  }

  #decode({ ms, pairs }: ReadFrame): void {
    this.#lastMs = Math.max(this.#lastMs, ms);
    for (const pair of pairs) {
      const channel = this.#divider.channelOf(pair);
      if (channel === null) continue;
      const cues = this.#channels.get(channel) ?? new ChannelCues();
      this.#channels.set(channel, cues);
      cues.add(pair, ms);
    }
  }
}

/** Collects the cues of one channel, up to the maximum. */
class ChannelCues {
  readonly #cues: Cue[] = [];
  #bytes = 0;
  #reason: LeftOutReason | null = null;
  readonly #decoder = new CaptionDecoder((caption) => this.#take(caption));

  add(pair: CaptionPair, ms: number): void {
    if (this.#reason === null) this.#decoder.add(pair, ms);
  }

  end(ms: number): readonly Cue[] | LeftOutReason {
    if (this.#reason === null) this.#decoder.end(ms);
    return this.#reason ?? this.#cues;
  }

  #take({ startMs, endMs, lines, isAtTop }: DecodedCaption): void {
    if (endMs <= 0) return;
    const text = lines.map(escapeCueText).join('\n');
    const cue = { startMs: Math.max(0, startMs), endMs, text, settings: isAtTop ? 'line:0' : '' };
    this.#cues.push(cue);
    this.#bytes += cueBytes(cue);
    if (this.#cues.length > maxCues) this.#reason = 'tooManyCues';
    if (this.#bytes > maxCaptionBytes) this.#reason = 'tooLarge';
  }
}
