import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { audioBitsOf, audioSampleRate, samplesPerPacket } from '../../shared/media/audioPackets.js';
import { countPackets, packetOffsets } from '../../shared/media/aac/index.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { changingToStereo, mixTo, type SourceChannels } from './channelMix.js';
import { fileAddress, openingOptions } from './demuxers.js';
import { isMediaFailure, type MediaRun, type MediaRunner } from './runner.js';

/** The first packets of encoded silence contain the encoder's priming and are left out. */
const startPackets = 2;

/** ffmpeg's channel layouts for the encoded numbers of channels. */
const layouts: Readonly<Record<number, string>> = { 2: 'stereo', 6: '5.1' };

/** Uses the coder `fast`, which the authors of the encoder prefer at these bit rates; `twoloop` takes three times as long. */
function encodingOf(channels: number): string[] {
  return [
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-profile:a', 'aac_low', '-b:a', String(audioBitsOf(channels))],
    ...['-ar', String(audioSampleRate), '-ac', String(channels), '-f', 'adts'],
  ];
}

function layoutOf(channels: number): string {
  const layout = layouts[channels];
  if (!layout) throw new Error(`audio of ${channels} channels`);
  return layout;
}
export interface AudioSource {
  readonly path: string;
  readonly demuxer: string;
  readonly stream: number;
  /** Name of the output file, without extension. */
  readonly name: string;
  /** Number of encoded channels: 2 or 6. */
  readonly channels: number;
  /** Absent in measurements of an earlier version. */
  readonly from?: SourceChannels;
  /** Timestamp in the source at which the content begins. */
  readonly originSeconds: number;
  readonly maxSeconds: number;
  /**
   * Smaller differences between timestamps and samples are not corrected, because most containers round timestamps. Default: 0.1.
   */
  readonly toleranceSeconds?: number;
  readonly threads: number;
}

/** A local file. */
export interface EncodedAudio {
  readonly path: string;
  readonly packets: number;
}

/** Start of the content in converted audio, so that earlier timestamps are not negative. */
const uniformOriginSeconds = 10;

/**
 * Encodes the audio of the complete content once. Gaps and a late start are filled with silence, so that packet n plays at n * 1024
 * / 48000 s. The encoder has a priming delay of one packet; as many samples are trimmed at the start. If channels or sample rate
 * change within the stream, as in broadcasts, ffmpeg fails (`-reinit_filter 0`), and the audio is first converted to one format.
 */
export async function encodeAudio(
  runner: MediaRunner,
  folder: string,
  source: AudioSource,
  run: MediaRun,
): Promise<EncodedAudio> {
  try {
    return await encode(runner, folder, source, run);
  } catch (error) {
    if (!isMediaFailure(error)) throw error;
    return encode(runner, folder, await convertToUniform(runner, folder, source, run), run);
  }
}

/** Converts the audio to constant channels and sample rate, with the same timestamps. */
async function convertToUniform(
  runner: MediaRunner,
  folder: string,
  source: AudioSource,
  run: MediaRun,
): Promise<AudioSource> {
  const name = `uniform-${source.name}.nut`;
  const shift = (uniformOriginSeconds - source.originSeconds).toFixed(6);
  const format = [
    ...(source.channels === 2 ? changingToStereo(source.from) : []),
    `aformat=sample_fmts=s16:sample_rates=${audioSampleRate}:channel_layouts=${layoutOf(source.channels)}`,
  ].join(',');
  await runner.convert(
    {
      folder,
      inputs: [{ path: fileAddress(source.path), options: inputOptions(source) }],
      filter: `[0:${source.stream}]${format},asetpts=PTS+(${shift})/TB[uniform]`,
      outputs: [
        { path: name, options: ['-map', '[uniform]', '-map_metadata', '-1', '-c:a', 'pcm_s16le', '-f', 'nut'] },
      ],
    },
    run,
  );
  const { from: _, ...converted } = source;
  return { ...converted, path: join(folder, name), demuxer: 'nut', stream: 0, originSeconds: uniformOriginSeconds };
}

async function encode(runner: MediaRunner, folder: string, source: AudioSource, run: MediaRun): Promise<EncodedAudio> {
  const filter = [
    `[0:${source.stream}]asetpts=PTS-(${source.originSeconds.toFixed(6)})/TB`,
    ...(source.channels === 2 && source.from ? mixTo(2, source.from) : []),
    `aresample=${audioSampleRate}:async=1:min_hard_comp=${source.toleranceSeconds ?? 0.1}:first_pts=0`,
    `aformat=sample_fmts=fltp:channel_layouts=${layoutOf(source.channels)}`,
    `atrim=start_sample=${samplesPerPacket}:end=${source.maxSeconds}`,
    'asetpts=PTS-STARTPTS[audio]',
  ].join(',');
  const name = `${source.name}.aac`;
  await runner.convert(
    {
      folder,
      inputs: [{ path: fileAddress(source.path), options: ['-reinit_filter', '0', ...inputOptions(source)] }],
      filter,
      outputs: [
        {
          path: name,
          options: ['-map', '[audio]', '-map_metadata', '-1', ...encodingOf(source.channels)],
        },
      ],
    },
    run,
  );
  return measure(join(folder, name));
}

/** Encodes silence of at least this number of packets. */
async function encodeSilence(
  runner: MediaRunner,
  folder: string,
  { packets, channels }: { readonly packets: number; readonly channels: number },
  run: MediaRun,
): Promise<EncodedAudio> {
  const name = `silence-${channels}-${packets}.aac`;
  const seconds = ((packets + startPackets) * samplesPerPacket) / audioSampleRate;
  await runner.convert(
    {
      folder,
      inputs: [
        {
          path: `anullsrc=r=${audioSampleRate}:cl=${layoutOf(channels)}`,
          options: ['-f', 'lavfi', '-t', seconds.toFixed(6)],
        },
      ],
      outputs: [{ path: name, options: encodingOf(channels) }],
    },
    run,
  );
  return measure(join(folder, name));
}

async function measure(path: string): Promise<EncodedAudio> {
  return { path, packets: await countPackets(path) };
}

function inputOptions({ demuxer, threads }: AudioSource): string[] {
  return ['-copyts', ...(threads > 0 ? ['-threads', String(threads)] : []), ...openingOptions(demuxer)];
}

/** The stored audio of a content: exactly `packets` packets, and the start of each chunk's part. */
export interface LaidOutAudio {
  readonly body: Readable;
  /** Byte offsets of the packets in `starts`. */
  readonly offsets: readonly number[];
}

/** Truncates audio to exactly `packets` packets, or pads it with silence. Null: silence only. */
export async function layOutAudio(
  runner: MediaRunner,
  folder: string,
  audio: EncodedAudio | null,
  layout: { readonly packets: number; readonly starts: readonly number[]; readonly channels: number },
  run: MediaRun,
): Promise<LaidOutAudio> {
  const present = Math.min(audio?.packets ?? 0, layout.packets);
  const audioOffsets = audio
    ? await packetOffsets(audio.path, [...layout.starts.map((start) => Math.min(start, present)), present])
    : [];
  const audioBytes = audioOffsets.at(-1) ?? 0;
  const missing = layout.packets - present;
  if (missing === 0) return { body: part(audio?.path, 0, audioBytes), offsets: audioOffsets.slice(0, -1) };
  const silence = await encodeSilence(runner, folder, { packets: missing, channels: layout.channels }, run);
  const silentStarts = layout.starts.map((start) => startPackets + Math.max(0, start - present));
  const silentOffsets = await packetOffsets(silence.path, [startPackets, ...silentStarts, startPackets + missing]);
  const [begin = 0] = silentOffsets;
  const offsetOf = (start: number, index: number): number =>
    start < present ? (audioOffsets[index] ?? 0) : audioBytes + (silentOffsets[index + 1] ?? begin) - begin;
  return {
    body: joined([part(audio?.path, 0, audioBytes), part(silence.path, begin, silentOffsets.at(-1) ?? begin)]),
    offsets: layout.starts.map(offsetOf),
  };
}

function part(path: string | undefined, start: number, end: number): Readable {
  return path === undefined || end <= start
    ? withErrorListener(Readable.from([]))
    : withErrorListener(createReadStream(path, { start, end: end - 1, highWaterMark: 1024 ** 2 }));
}

function joined(parts: readonly Readable[]): Readable {
  return withErrorListener(
    Readable.from(
      (async function* bytes() {
        for (const readable of parts) yield* readable;
      })(),
      { objectMode: false },
    ),
  );
}
