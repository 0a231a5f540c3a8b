/** The channels of an audio stream. */
export interface SourceChannels {
  readonly channels: number;
  /** Their positions, as ffprobe names them; empty if the file does not say. */
  readonly layout: string;
}

/** Numbers of channels for which ffmpeg assumes positions where the file has none. */
const assumed: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 16, 24]);

/** Whether it is known where the channels are, so that ffmpeg can mix them. */
export function hasPositions({ channels, layout }: SourceChannels): boolean {
  return layout === '' ? assumed.has(channels) : !layout.startsWith('ambisonic');
}

/**
 * The filters that mix a stream down to one or two channels where a conversion by ffmpeg would fail or be quieter than the file.
 * Empty: ffmpeg converts it. One channel plays in both with its level; ffmpeg takes 3 dB off. Channels without positions are added
 * up as by a mixing desk, in turn left and right, because each may have all of the sound. Of an ambisonic recording, the first
 * channel has the sound of all directions.
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

/** Where the sum is too loud, it is limited. The limiter delays by its attack, a millisecond. */
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
 * Stereo from a stream whose channels may change meanwhile, as in broadcasts: one channel plays with its level, and several are
 * mixed with the usual weights, divided by their sum so that they are never too loud. Channels that are not there do not count.
 */
export function changingToStereo(source: SourceChannels | undefined): string[] {
  return source && !hasPositions(source) ? mixTo(2, source) : [weighted];
}

const weighted = 'pan=stereo|FL<FL+FLC+0.707FC+0.707BL+0.707SL+0.5BC|FR<FR+FRC+0.707FC+0.707BR+0.707SR+0.5BC';
