import { firstPacketAt, samplesPerPacket } from '../../shared/media/audioPackets.js';
import { adtsPackets } from '../../shared/media/aac/index.js';
import { previewCut, segmentStart, type Chunk } from '../../shared/media/grid.js';
import { audioInitialisation, aacCodec, fragmentHead, trackIds } from '../../shared/media/mp4/index.js';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import type { ContentPlan, PlannedAudio } from '../../shared/content/plan.js';
import { initName, segmentName, tailName } from '../../shared/content/storageKeys.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { PlanOutdatedError } from '../content/planAgain.js';
import { MediaError } from '../media/index.js';
import type { Uploads } from '../runtime/uploads.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import type { Destination } from './destination.js';

const contentType = 'video/mp4';
/** Maximum of segments of one track in memory, about 100 kB each. */
const maxWaiting = 16;

interface Options {
  readonly ctx: WorkerContext;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly to: Destination;
  readonly uploads: Uploads;
  readonly signal: AbortSignal;
}

/**
 * Stores the audio of a chunk: for each track one file per segment, with the packets that begin while its frames are shown.
 * Ingestion has encoded the packets, which are extracted from ADTS and written into fragments. Throws MediaError if packets are
 * missing, and PlanOutdatedError if the file is missing.
 */
export async function storeAudioSegments(options: Options): Promise<Record<string, ChunkRendition>> {
  const stored: Record<string, ChunkRendition> = {};
  for (const track of options.plan.audio) stored[track.name] = await storeTrack(options, track);
  return stored;
}

async function storeTrack(options: Options, { name, key, offsets, channels }: PlannedAudio): Promise<ChunkRendition> {
  const { ctx, chunk } = options;
  const init = audioInitialisation(channels);
  const initKey = initName(name, init);
  const start = offsets[chunk.position] ?? 0;
  const end = offsets[chunk.position + 1] ?? 0;
  if (end <= start) throw new MediaError(`chunk ${chunk.position} has no audio of ${name}`);
  const data = await ctx.storage.read(key, { start, end: end - 1 }).catch((error: unknown) => {
    throw error instanceof NotFoundError ? new PlanOutdatedError(`no stored file ${key}`) : error;
  });
  try {
    const stored = await storeSegments(options, name, adtsPackets(data));
    return { ...stored, initKey, initBytes: init.length, codecs: aacCodec };
  } finally {
    data.destroy();
  }
}

async function storeSegments(
  { plan, chunk, to, uploads, signal }: Options,
  name: string,
  packets: AsyncIterator<Buffer>,
): Promise<Pick<ChunkRendition, 'bytes' | 'tail'>> {
  const { completeSegments, tail } = previewCut(plan);
  const bytes: number[] = [];
  let tailBytes: number | undefined;
  let waiting: Promise<void>[] = [];
  const store = (file: readonly Buffer[], path: string): void =>
    void waiting.push(uploads.addBuffers(file, path, contentType));
  for (let segment = chunk.firstSegment; segment < chunk.firstSegment + chunk.segmentCount; segment += 1) {
    signal.throwIfAborted();
    const first = packetAt(plan, segment);
    const media = await take(packets, packetAt(plan, segment + 1) - first);
    const file = audioSegment(segment, first, media);
    const path = `${to.attempt}/${name}/${segmentName(segment)}`;
    bytes.push(sizeOf(file));
    store(file, `${to.generation}/${path}`);
    if (segment < completeSegments) store(file, `${to.preview}/${path}`);
    if (segment === tail?.segment) {
      const part = audioSegment(segment, first, media.slice(0, tail.packets));
      tailBytes = sizeOf(part);
      store(part, `${to.preview}/${to.attempt}/${name}/${tailName}`);
    }
    if (waiting.length < maxWaiting) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  return tailBytes === undefined ? { bytes } : { bytes, tail: { bytes: tailBytes } };
}

/** All chunks of a track share one initialisation segment, which the first chunk stores. */
export function storeAudioInits({
  plan,
  chunk,
  to,
  uploads,
}: Pick<Options, 'plan' | 'chunk' | 'to' | 'uploads'>): void {
  if (chunk.position > 0) return;
  for (const { name, channels } of plan.audio) {
    const init = audioInitialisation(channels);
    for (const folder of [to.generation, to.preview])
      void uploads.addBuffer(init, `${folder}/${initName(name, init)}`, contentType);
  }
}

function packetAt(plan: ContentPlan, segment: number): number {
  return firstPacketAt(segmentStart(plan, segment), plan.frameRate);
}

/** Reads the next packets. Throws MediaError if there are fewer. */
async function take(packets: AsyncIterator<Buffer>, count: number): Promise<Buffer[]> {
  const taken: Buffer[] = [];
  while (taken.length < count) {
    const next = await packets.next();
    if (next.done) throw new MediaError(`${taken.length} packets of audio instead of ${count}`);
    taken.push(next.value);
  }
  return taken;
}

function audioSegment(segment: number, firstPacket: number, media: readonly Buffer[]): Buffer[] {
  const samples = media.map(({ length }, index) => ({
    ...{ decodeTime: (firstPacket + index) * samplesPerPacket, duration: samplesPerPacket },
    ...{ offset: 0, isSync: true, bytes: length },
  }));
  return [fragmentHead(trackIds.audio, segment + 1, samples), ...media];
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
