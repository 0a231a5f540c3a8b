/** The channels of an audio stream. */
export interface SourceChannels {
  readonly channels: number;
  /** The channel layout, as ffprobe names it; empty if the file does not declare it. */
  readonly layout: string;
}

/** Numbers of channels for which ffmpeg assumes positions if the file declares none. */
const assumed: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 16, 24]);

/** Whether the channel positions are known, so that ffmpeg can mix the channels. */
export function hasPositions({ channels, layout }: SourceChannels): boolean {
  return layout === '' ? assumed.has(channels) : !layout.startsWith('ambisonic');
}

/**
 * The filters that mix a stream to one or two channels if a conversion by ffmpeg would fail or attenuate it. Empty: ffmpeg converts
 * the stream. A mono channel plays in both outputs at its level; ffmpeg attenuates it by 3 dB. Channels without positions are
 * summed, alternately left and right, because each may contain the complete mix. The first channel of an ambisonic recording is
 * omnidirectional.
 */
export function mixTo(outputs: 1 | 2, source: SourceChannels): string[] {
  const { channels, layout } = source;
  if (channels === 1) return outputs === 1 ? [] : ['pan=stereo|c0=c0|c1=c0'];
  if (hasPositions(source)) return [];
  return layout.startsWith('ambisonic') ? firstChannel(outputs) : allChannels(outputs, channels);
}

function firstChannel(outputs: number): string[] {
  return [outputs === 1 ? 'pan=mono|c0=c0' : 'pan=stereo|c0=c0|c1=c0'];
}

/** Limits a sum that is too loud. The limiter adds a delay of its attack time, one millisecond. */
const limiter = 'alimiter=level=false:attack=1:release=50';

function allChannels(outputs: number, channels: number): string[] {
  const inputsOf = (output: number): string =>
    Array.from({ length: channels }, (_, input) => input)
      .filter((input) => input % outputs === output)
      .map((input) => `c${input}`)
      .join('+');
  const gains = Array.from({ length: outputs }, (_, output) => `c${output}=${inputsOf(output)}`);
  return [`pan=${outputs === 1 ? 'mono' : 'stereo'}|${gains.join('|')}`, limiter];
}

/**
 * Mixes a stream whose channels may change, as in broadcasts, to stereo: a mono channel keeps its level, and several channels are
 * mixed with the usual weights, normalised by their sum to prevent clipping. Absent channels do not count.
 */
export function changingToStereo(source: SourceChannels | undefined): string[] {
  return source && !hasPositions(source) ? mixTo(2, source) : [weighted];
}

const weighted = 'pan=stereo|FL<FL+FLC+0.707FC+0.707BL+0.707SL+0.5BC|FR<FR+FRC+0.707FC+0.707BR+0.707SR+0.5BC';
