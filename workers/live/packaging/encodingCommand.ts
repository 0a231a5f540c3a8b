import type { SourceColours } from '../../../shared/media/sourceColours.js';
import { framesPerKeyframe } from '../../../shared/media/grid.js';
import { audioSampleRate, audioBits } from '../../../shared/media/audioPackets.js';
import {
  x264Parameters,
  assumedMatrix,
  colourOptions,
  standardMatrix,
  scaledInOrder,
  scaledTo,
} from '../../media/index.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { AudioLeads } from './fragmentTimes.js';
import type { LiveLadderStep } from './liveLadder.js';
import { bufferSeconds } from './peakBandwidth.js';
import { still } from './replacement.js';

/** Presentation time of the first frame of every encoding, as in contents, so that decoding times are not negative. */
export const timelineBaseSeconds = 1;
/** A part ends after this time, or at a keyframe. */
const partMicroseconds = 500_000;
const constantQuality = 23;
/** Maximum memory that a malicious stream can make a demuxer or decoder allocate. */
export const allocationLimitBytes = 512 * 1024 ** 2;
/** Matrix numbers of BT.601 in H.264, for 50 and 60 fields. */
const standardMatrices: readonly number[] = [5, 6];
/** File descriptor of the first rendition. */
const firstPipe = 3;

export interface EncodingSettings {
  readonly preset: string;
  readonly maxPixels: number;
}

/**
 * The ffmpeg arguments for a plan: FLV on standard input, and for each rendition a pipe with fragmented MP4, whose fragments are
 * half-second parts that restart at each keyframe. `startSeconds`: time in the FLV stream at which the output starts; earlier media
 * is only decoded. Audio precedes its video by `leads`.
 */
export function encodingCommand(
  plan: EncodingPlan,
  startSeconds: number,
  settings: EncodingSettings,
  leads: AudioLeads,
): string[] {
  const encodedFrom = plan.isTopCopied ? 1 : 0;
  const encoded = { plan, encodedFrom, startSeconds, preset: settings.preset, audioLead: leads.encoded };
  const outputs = [
    ...(plan.isTopCopied ? copiedOutput(plan, startSeconds, leads.copied) : []),
    ...(plan.steps.length > encodedFrom ? encodedOutput(encoded) : []),
  ];
  const filter = filterOf(plan, startSeconds);
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-max_error_rate', '1'],
    ...['-max_alloc', String(allocationLimitBytes), '-copyts', '-max_pixels', String(settings.maxPixels)],
    // After a format change within a track, a reinitialised filter would restart at zero, with silence for all the time before.
    ...['-reinit_filter:a', '0', '-analyzeduration', '1000000', '-probesize', '5000000'],
    ...colourOptions(coloursOfInput(plan)),
    ...['-protocol_whitelist', 'pipe', '-format_whitelist', 'flv', '-f', 'flv', '-i', 'pipe:0'],
    ...(filter === null ? [] : ['-filter_complex', filter]),
    ...outputs,
  ];
}

/** Colours that the video does not declare, and the matrix of standard definition. */
function coloursOfInput({ video }: EncodingPlan): SourceColours {
  const { matrix, ...size } = video?.avc ?? { ...still, matrix: null };
  if (matrix === null) return { matrix: assumedMatrix(size), primaries: 'bt709', transfer: 'bt709' };
  return standardMatrices.includes(matrix) ? { matrix: standardMatrix } : {};
}

/** The filter graph; null if no step is encoded. */
function filterOf(plan: EncodingPlan, startSeconds: number): string | null {
  const firstEncoded = plan.isTopCopied ? 1 : 0;
  const [highest, ...lower] = plan.steps.slice(firstEncoded);
  if (!highest) return null;
  const [rate, scale] = plan.frameRate;
  const halfFrame = scale / rate / 2;
  const avc = plan.video?.avc;
  const source = avc ? { width: avc.width * avc.pixelAspect, height: avc.height } : still;
  const steps = [
    `setpts=PTS-${startSeconds.toFixed(3)}/TB`,
    `trim=start=${(-halfFrame).toFixed(6)}`,
    ...(avc?.isProgressive === false ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=${rate}/${scale}`,
  ];
  const outlets = [
    `${fit({ ...source, colours: coloursOfInput(plan) }, highest)},format=yuv420p`,
    ...lower.map((step) => scaledTo(step)),
  ].map((filter, index) => ({
    outlet: `video${firstEncoded + index}`,
    filter,
  }));
  return `[0:v]${steps.join(',')},${scaledInOrder(outlets)}`;
}

/** Scales a frame to a step. Adds bars if the aspect ratio differs, as after a change of size. */
function fit(source: { width: number; height: number; colours: SourceColours }, step: LiveLadderStep): string {
  const ratio = Math.min(step.width / source.width, step.height / source.height);
  const width = Math.min(step.width, 2 * Math.round((source.width * ratio) / 2));
  const height = Math.min(step.height, 2 * Math.round((source.height * ratio) / 2));
  // Rounding to even sizes does not count as another aspect ratio.
  if (step.width - width <= 2 && step.height - height <= 2) return scaledTo(step, source.colours);
  return `${scaledTo({ width: Math.max(2, width), height: Math.max(2, height) }, source.colours)},pad=${step.width}:${step.height}:-1:-1`;
}

function copiedOutput(plan: EncodingPlan, startSeconds: number, audioLead: number): string[] {
  const firstSample = Math.round(startSeconds * audioSampleRate);
  const audio = audioOptions(plan, `aresample=${audioSampleRate}:async=1:first_pts=${firstSample}`, audioLead);
  const { shared, options } = container(timelineBaseSeconds - startSeconds);
  return [
    ...['-map', '0:v', '-map', '0:a', '-c:v', 'copy', ...colourOptions(coloursOfInput(plan)), ...audio, ...shared],
    // Repeats the parameter sets at each keyframe, as `x264Parameters` does.
    ...['-bsf:v', 'h264_mp4toannexb'],
    ...Object.entries(options).flatMap(([name, value]) => [`-${name}`, value]),
    ...['-f', 'mp4', `pipe:${firstPipe}`],
  ];
}

interface EncodedOutput {
  readonly plan: EncodingPlan;
  readonly encodedFrom: number;
  readonly startSeconds: number;
  readonly preset: string;
  readonly audioLead: number;
}

/**
 * All encoded renditions are one output, which the tee muxer writes to one MP4 each, so that their audio is encoded once. The
 * copied rendition is a separate output, because it does not wait for an encoder.
 */
function encodedOutput({ plan, encodedFrom, startSeconds, preset, audioLead }: EncodedOutput): string[] {
  const start = startSeconds.toFixed(3);
  const steps = plan.steps.slice(encodedFrom);
  const { shared, options } = container(timelineBaseSeconds);
  const files = steps.map((_, index) => {
    const settings = Object.entries({ f: 'mp4', select: `${index},a`, ...options });
    return `[${settings.map(([name, value]) => `${name}=${value}`).join(':')}]pipe:${firstPipe + encodedFrom + index}`;
  });
  return [
    ...steps.flatMap((_, index) => ['-map', `[video${encodedFrom + index}]`]),
    ...['-map', '0:a', '-c:v', 'libx264', '-preset', preset, '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...['-crf', String(constantQuality)],
    ...steps.flatMap(({ maxBits }, index) => [
      ...[`-maxrate:v:${index}`, String(maxBits), `-bufsize:v:${index}`, String(bufferSeconds * maxBits)],
    ]),
    ...['-force_key_frames', `expr:${keyframeRule(plan)}`, '-forced-idr', '1'],
    ...['-x264-params', x264Parameters, '-vsync', 'passthrough'],
    // Closed captions are kept in all renditions.
    ...['-a53cc', '1'],
    ...audioOptions(plan, `asetpts=PTS-${start}/TB,aresample=${audioSampleRate}:async=1:first_pts=0`, audioLead),
    ...[...shared, '-avoid_negative_ts', 'disabled', '-flags', '+global_header', '-f', 'tee', files.join('|')],
  ];
}

/** Forces a keyframe at each segment start: by frame number, or by time if the first rendition is copied. */
function keyframeRule({ isTopCopied, segmentSeconds, frameRate }: EncodingPlan): string {
  if (!isTopCopied) return `not(mod(n,${framesPerKeyframe(frameRate)}))`;
  const halfFrame = frameRate[1] / frameRate[0] / 2;
  return `isnan(prev_forced_t)+gte(t,prev_forced_t+${(segmentSeconds - halfFrame).toFixed(6)})`;
}

/** `lead`: seconds by which the audio is moved ahead; `FragmentTimes` moves it back. */
function audioOptions({ audio }: EncodingPlan, filter: string, lead: number): string[] {
  const format = ['-ac', '2', '-ar', String(audioSampleRate), '-b:a', String(audioBits)];
  const early = `asetpts=PTS-${Math.round(lead * audioSampleRate)}`;
  // By channel names, so that two channels from the decoder stay unchanged. ffmpeg would attenuate one channel by 3 dB.
  const mono = audio?.isMono ? 'pan=stereo|FL=FL+FC|FR=FR+FC,' : '';
  return ['-af', `${mono}${filter},${early},aformat=channel_layouts=stereo`, '-c:a', 'aac', ...format];
}

/** Options of an output, and of each MP4 file in it. */
function container(offsetSeconds: number): { shared: string[]; options: Readonly<Record<string, string>> } {
  return {
    shared: ['-map_metadata', '-1', '-max_muxing_queue_size', '4096'],
    options: {
      output_ts_offset: offsetSeconds.toFixed(3),
      avoid_negative_ts: 'disabled',
      use_editlist: '0',
      write_btrt: '0',
      flush_packets: '1',
      movflags: '+empty_moov+default_base_moof+frag_keyframe+skip_trailer+frag_discont',
      frag_duration: String(partMicroseconds),
    },
  };
}
