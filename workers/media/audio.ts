import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { audioSampleRate, samplesPerPacket } from '../../shared/content/chunkPlan.js';
import { audioBits } from '../../shared/content/ladder.js';
import { countPackets, packetOffsets } from './adts.js';
import { fileAddress, openingOptions } from './demuxers.js';
import { isRefusal, type MediaRun, type MediaRunner } from './runner.js';

/** How many packets an encoder needs before silence is silence. */
const settlingPackets = 2;

const encoding = [
  '-c:a',
  'aac',
  '-profile:a',
  'aac_low',
  '-b:a',
  String(audioBits),
  '-ar',
  String(audioSampleRate),
  '-ac',
  '2',
  '-f',
  'adts',
];

export interface AudioSource {
  readonly path: string;
  readonly demuxer: string;
  readonly stream: number;
  /** Timestamp in the source of the content's first moment. */
  readonly originSeconds: number;
  readonly maximumSeconds: number;
  /** Sound that is off by less is left so, since most containers round their times; 0.1 unless told. */
  readonly toleranceSeconds?: number;
  readonly threads: number;
}

/** Sound as it lies on this machine's disk. */
export interface EncodedAudio {
  readonly path: string;
  readonly packets: number;
}

/** Room before the content's first moment in sound that has been made even: there are no times below zero. */
const evenOriginSeconds = 10;

/**
 * Encodes the sound of the whole content once. Gaps are filled and a late start is padded, so packet n is heard at
 * n * 1024 / 48000 s: the encoder's own delay of one packet is made good by leaving out as many samples at the start.
 * Where channels or rate change on the way, as in broadcasts, the tool would begin to count anew: it refuses, and the
 * sound is made even first.
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
    if (!isRefusal(error)) throw error;
    return encode(runner, folder, await makeEven(runner, folder, source, run), run);
  }
}

/** The same sound, of which every packet has the same channels and rate, at the same times. */
async function makeEven(runner: MediaRunner, folder: string, source: AudioSource, run: MediaRun): Promise<AudioSource> {
  const name = 'even.nut';
  const shift = (evenOriginSeconds - source.originSeconds).toFixed(6);
  const format = `aformat=sample_fmts=s16:sample_rates=${audioSampleRate}:channel_layouts=stereo`;
  await runner.convert(
    {
      folder,
      inputs: [{ path: fileAddress(source.path), options: inputOptions(source) }],
      filter: `[0:${source.stream}]${format},asetpts=PTS+(${shift})/TB[even]`,
      outputs: [{ path: name, options: ['-map', '[even]', '-map_metadata', '-1', '-c:a', 'pcm_s16le', '-f', 'nut'] }],
    },
    run,
  );
  return { ...source, path: join(folder, name), demuxer: 'nut', stream: 0, originSeconds: evenOriginSeconds };
}

async function encode(runner: MediaRunner, folder: string, source: AudioSource, run: MediaRun): Promise<EncodedAudio> {
  const filter = [
    `[0:${source.stream}]asetpts=PTS-(${source.originSeconds.toFixed(6)})/TB`,
    `aresample=${audioSampleRate}:async=1:min_hard_comp=${source.toleranceSeconds ?? 0.1}:first_pts=0`,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    `atrim=start_sample=${samplesPerPacket}:end=${source.maximumSeconds}`,
    'asetpts=PTS-STARTPTS[sound]',
  ].join(',');
  const name = 'sound.aac';
  await runner.convert(
    {
      folder,
      inputs: [{ path: fileAddress(source.path), options: ['-reinit_filter', '0', ...inputOptions(source)] }],
      filter,
      outputs: [{ path: name, options: ['-map', '[sound]', '-map_metadata', '-1', ...encoding] }],
    },
    run,
  );
  return measure(join(folder, name));
}

/** Silence of at least so many packets. */
async function encodeSilence(
  runner: MediaRunner,
  folder: string,
  packets: number,
  run: MediaRun,
): Promise<EncodedAudio> {
  const name = 'silence.aac';
  const seconds = ((packets + settlingPackets) * samplesPerPacket) / audioSampleRate;
  await runner.convert(
    {
      folder,
      inputs: [{ path: `anullsrc=r=${audioSampleRate}:cl=stereo`, options: ['-f', 'lavfi', '-t', seconds.toFixed(6)] }],
      outputs: [{ path: name, options: encoding }],
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

/** The stored sound of a content: exactly `packets` long, and where each share starts. */
export interface LaidOutAudio {
  readonly body: Readable;
  /** Where the packets asked for start, in bytes. */
  readonly offsets: readonly number[];
}

/** Makes sound exactly `packets` long: the rest is cut off, what is missing (all of it, where there is none) is silence. */
export async function layOutAudio(
  runner: MediaRunner,
  folder: string,
  audio: EncodedAudio | null,
  layout: { readonly packets: number; readonly starts: readonly number[] },
  run: MediaRun,
): Promise<LaidOutAudio> {
  const heard = Math.min(audio?.packets ?? 0, layout.packets);
  const audioOffsets = audio
    ? await packetOffsets(audio.path, [...layout.starts.map((start) => Math.min(start, heard)), heard])
    : [];
  const audioBytes = audioOffsets.at(-1) ?? 0;
  const missing = layout.packets - heard;
  if (missing === 0) return { body: part(audio?.path, 0, audioBytes), offsets: audioOffsets.slice(0, -1) };
  const silence = await encodeSilence(runner, folder, missing, run);
  const silentStarts = layout.starts.map((start) => settlingPackets + Math.max(0, start - heard));
  const silentOffsets = await packetOffsets(silence.path, [
    settlingPackets,
    ...silentStarts,
    settlingPackets + missing,
  ]);
  const [begin = 0] = silentOffsets;
  const offsetOf = (start: number, index: number): number =>
    start < heard ? (audioOffsets[index] ?? 0) : audioBytes + (silentOffsets[index + 1] ?? begin) - begin;
  return {
    body: joined([part(audio?.path, 0, audioBytes), part(silence.path, begin, silentOffsets.at(-1) ?? begin)]),
    offsets: layout.starts.map(offsetOf),
  };
}

function part(path: string | undefined, start: number, end: number): Readable {
  return path === undefined || end <= start
    ? Readable.from([])
    : createReadStream(path, { start, end: end - 1, highWaterMark: 1024 ** 2 });
}

function joined(parts: readonly Readable[]): Readable {
  return Readable.from(
    (async function* bytes() {
      for (const readable of parts) yield* readable;
    })(),
    { objectMode: false },
  );
}
