import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { previewCut, type Chunk } from '../../shared/media/grid.js';
import { allEnded } from '../../shared/platform/allEnded.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { readMp4Tracks, readFragments, correctSegment } from '../../shared/media/mp4/index.js';
import { segmentName } from '../../shared/content/storageKeys.js';
import { createSegmentCheck, type SegmentCheck } from '../content/encodedSegmentCheck.js';
import type { Destination } from './destination.js';
import type { Uploads } from '../runtime/uploads.js';

const pollMs = 400;

/** One rendition of a chunk, encoded and checked. */
export interface RenditionOutput {
  readonly rendition: string;
  readonly init: Buffer;
  /** Size of each segment. */
  readonly bytes: readonly number[];
}

/** Checks each segment that the encoder completes against the plan, and stores it. */
export interface SegmentCollector {
  /**
   * Called after the encoder has ended. Collects the remaining segments. Throws MediaError if the segments differ from the plan.
   */
  finish(): Promise<RenditionOutput[]>;
  stop(): Promise<void>;
}

interface Options {
  readonly folder: string;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly to: Destination;
  readonly uploads: Uploads;
}

interface RenditionState {
  readonly rendition: string;
  readonly bytes: number[];
  check?: SegmentCheck;
  init?: Buffer;
}

export function collectSegments(options: Options): SegmentCollector {
  const { plan, chunk } = options;
  const states: RenditionState[] = plan.renditions.map(({ name }) => ({ rendition: name, bytes: [] }));
  const ended = new AbortController();
  let fault: unknown;
  const following = (async () => {
    while (!ended.signal.aborted) {
      await sleep(pollMs, undefined, { signal: ended.signal }).catch(() => {});
      for (const state of states) await take(options, state);
    }
  })().catch((error: unknown) => (fault = error));
  const stop = async (): Promise<void> => {
    ended.abort();
    await following;
  };
  return {
    stop,
    async finish() {
      await stop();
      if (fault !== undefined) throw fault;
      return allEnded(
        states.map(async (state) => {
          await take(options, state);
          const check = state.check ?? createSegmentCheck(plan, chunk, state.rendition, Buffer.alloc(0));
          check.finish(state.bytes.length);
          return { rendition: state.rendition, init: state.init as Buffer, bytes: state.bytes };
        }),
      );
    },
  };
}

/** Collects the segments that were completed since the last call, in order. */
async function take(options: Options, state: RenditionState): Promise<void> {
  const { folder, plan, chunk } = options;
  while (state.bytes.length < chunk.segmentCount) {
    const segment = chunk.firstSegment + state.bytes.length;
    const path = join(folder, state.rendition, segmentName(segment));
    if (!(await isThere(path))) return;
    state.init ??= await readFile(join(folder, state.rendition, 'init.mp4'));
    state.check ??= createSegmentCheck(plan, chunk, state.rendition, state.init);
    await correctSegment(path, readMp4Tracks(state.init));
    state.check.segment(segment, await readFragments(path));
    state.bytes.push((await stat(path)).size);
    store(options, state.rendition, segment, path);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Stores a segment. Segments of the preview are stored a second time, in the folder that a preview grant opens. */
function store({ plan, to, uploads }: Options, rendition: string, segment: number, path: string): void {
  const { completeSegments, tail } = previewCut(plan);
  const name = `${to.attempt}/${rendition}/${segmentName(segment)}`;
  const copies = [uploads.add(path, `${to.generation}/${name}`, 'video/mp4')];
  if (segment < completeSegments) copies.push(uploads.add(path, `${to.preview}/${name}`, 'video/mp4'));
  if (segment === tail?.segment) return;
  Promise.all(copies)
    .then(
      () => rm(path, { force: true }),
      () => {},
    )
    .catch(() => {});
}
