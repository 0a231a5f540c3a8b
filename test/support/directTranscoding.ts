import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { chunkAt, type Chunk } from '../../shared/media/grid.js';
import type { Content } from '../../shared/content/content.model.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { openContext } from '../../shared/openContext.js';
import { readConfig } from '../../shared/settings.js';
import { prepareSource, type Prepared } from '../../workers/ingestion/prepareSource.js';
import { segmentName } from '../../shared/content/storageKeys.js';
import { readMp4Tracks, readFragments, audioInitialisation, correctSegment } from '../../shared/media/mp4/index.js';
import { chunkCommand, MediaFault, isMediaFailure, MediaError } from '../../workers/media/index.js';
import type { Uploads } from '../../workers/runtime/uploads.js';
import { storeAudioSegments } from '../../workers/transcoding/storeAudioSegments.js';
import { createSegmentCheck } from '../../workers/content/encodedSegmentCheck.js';
import type { JobRun } from '../../workers/runtime/jobTypes.js';
import { createWorkerContext, type WorkerContext } from '../../workers/runtime/workerContext.js';
import { copyDirectly, expectSameFrames, type CopyOutcome } from './directCopy.js';
import { testEnvironment } from './context.js';
import { useFixture } from './fixtures.js';
import { noteOpened } from './testFaults.js';
import { joinedInitialisation } from './media.js';

/** Transcodes and copies files with the functions that the jobs call, without database, queue or processes other than ffmpeg. */
export interface DirectTranscoding {
  readonly ctx: WorkerContext;
  /** Probes a file (path or bytes) and plans it. Throws MediaFault and MediaError as ingestion does. */
  prepare(file: Buffer | string): Promise<Prepared & { readonly copy: CopyOutcome }>;
  /** Why a file cannot be transcoded: the message key for its owner and the detail for the log, or null if it can. */
  failureOf(file: Buffer | string): Promise<{ readonly key: string; readonly detail: string } | null>;
  /** Plans a file, transcodes it into one rendition and checks every segment. `planned` replaces members of the plan. */
  transcode(file: Buffer | string, which?: 'lowest' | 'highest', planned?: Partial<ContentPlan>): Promise<Transcoded>;
}

export interface Transcoded extends Prepared {
  readonly copy: CopyOutcome;
  /** The initialisation segment and all segments of the rendition, as a player appends them for its decoder. */
  readonly media: Buffer;
  /** Only the segments. */
  readonly segments: readonly Buffer[];
  readonly durationSeconds: number;
}

/** Opened before the tests of the calling `describe`, and closed after them. */
export function directTranscoding(settings: Record<string, string> = {}): DirectTranscoding {
  const opened = useFixture(async () => {
    const folder = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? '/tmp', 'direct-'));
    const environment = { ...testEnvironment('postgres://localhost/none', folder), ...settings };
    const context = await openContext(readConfig('worker', environment));
    const closed = noteOpened('a context without a database');
    return {
      ctx: createWorkerContext(context),
      folder,
      async close() {
        await context.close();
        await rm(folder, { recursive: true, force: true });
        closed();
      },
    };
  });

  const work = async <Result>(run: (folder: string) => Promise<Result>): Promise<Result> => {
    const temporary = await mkdtemp(join(opened.folder, 'work-'));
    try {
      return await run(temporary);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  };
  const plan = (file: Buffer | string): Promise<Prepared & { copy: CopyOutcome }> =>
    work((temporary) => prepareFile(opened.ctx, temporary, file));
  return {
    get ctx() {
      return opened.ctx;
    },
    prepare: plan,
    async failureOf(file) {
      try {
        await plan(file);
        return null;
      } catch (error) {
        if (error instanceof MediaFault) return { key: error.key, detail: error.message };
        if (isMediaFailure(error)) return { key: 'content.failure.unreadable', detail: error.message };
        throw error;
      }
    },
    async transcode(file, which = 'lowest', planned = {}) {
      const prepared = await plan(file);
      const rendition = prepared.plan.renditions.at(which === 'lowest' ? 0 : -1);
      if (!rendition) throw new Error('a plan without renditions');
      const [init, ...segments] = await transcodeAll(
        opened.ctx,
        { ...prepared.plan, ...planned, renditions: [rendition] },
        work,
      );
      const media = Buffer.concat([init as Buffer, ...segments]);
      return { ...prepared, media, segments, durationSeconds: prepared.plan.durationMs / 1000 };
    },
  };
}

/** Copies the source if possible, and compares every frame of the copy with it. */
async function prepareFile(
  ctx: WorkerContext,
  folder: string,
  file: Buffer | string,
): Promise<Prepared & { copy: CopyOutcome }> {
  const id = randomUUID();
  const sourceKey = `sources/${id}/original`;
  const body = Buffer.isBuffer(file) ? file : createReadStream(file);
  const { bytes } = await ctx.storage.put(sourceKey, body, { contentType: 'application/octet-stream' });
  const content = {
    id,
    ownerId: randomUUID(),
    sourceKey,
    sourceBytes: bytes,
    generation: 1,
    readyGeneration: null,
    readyAttempt: null,
  } as Content;
  const run = { ctx, log: ctx.log, reportProgress: () => {} } as unknown as JobRun<unknown>;
  const { outcome, media, copyable } = await copyDirectly(ctx, folder, content);
  if (copyable && outcome === 'copied')
    await expectSameFrames(ctx.storage.localPath(sourceKey) as string, media, copyable.streams.video.index);
  const attempt = { folder, signal: new AbortController().signal, attemptId: 'a1' };
  const prepared = await prepareSource(run, content, attempt).catch((error: unknown) => {
    expect(outcome, 'a source that cannot be processed').not.to.equal('copied');
    throw error;
  });
  return { ...prepared, copy: outcome };
}

async function transcodeAll(
  ctx: WorkerContext,
  plan: ContentPlan,
  work: <Result>(run: (folder: string) => Promise<Result>) => Promise<Result>,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for (let position = 0; position < plan.chunkCount; position += 1) {
    const chunk = chunkAt(plan, position);
    const once = (isRetry: boolean): Promise<Buffer[]> =>
      work((folder) => transcodeChunk(ctx, folder, plan, chunk, isRetry));
    const [init, ...segments] = await once(false).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error;
      return once(true);
    });
    if (position === 0) parts.push(init as Buffer);
    parts.push(...segments);
  }
  return parts;
}

/** The initialisation segment and segments of a chunk, checked against the plan; the default audio follows each segment's video. */
async function transcodeChunk(
  ctx: WorkerContext,
  folder: string,
  plan: ContentPlan,
  chunk: Chunk,
  isRetry: boolean,
): Promise<Buffer[]> {
  const { media, worker } = ctx.config;
  const name = plan.renditions[0]?.name ?? '';
  await mkdir(join(folder, name));
  const sourcePath = ctx.storage.localPath(plan.source.key) as string;
  const { mediaThreads: threads } = worker;
  const settings = { preset: media.encoderPreset, threads, maxPixels: media.maxPixels, isRetry };
  const run = { signal: new AbortController().signal };
  await ctx.media.runner.convert(chunkCommand({ folder, plan, chunk, sourcePath, settings }), run);
  const init = await readFile(join(folder, name, 'init.mp4'));
  const check = createSegmentCheck(plan, chunk, name, init);

  const segments = (await readdir(join(folder, name))).filter((file) => file.endsWith('.m4s'));
  const files: Buffer[] = [];
  for (let index = 0; index < segments.length; index += 1) {
    const segment = chunk.firstSegment + index;
    const path = join(folder, name, segmentName(segment));
    await correctSegment(path, readMp4Tracks(init));
    check.segment(segment, await readFragments(path));
    files.push(await readFile(path));
  }
  check.finish(segments.length);
  const audio = await audioSegments(ctx, plan, chunk);
  return [
    joinedInitialisation(init, audioInitialisation(plan.audio[0]?.channels ?? 0)),
    ...files.map((file, index) => Buffer.concat([file, audio[index] ?? Buffer.alloc(0)])),
  ];
}

/** The default audio of a chunk, as its job stores it. */
async function audioSegments(ctx: WorkerContext, plan: ContentPlan, chunk: Chunk): Promise<Buffer[]> {
  const stored: Buffer[] = [];
  const uploads: Uploads = {
    add: () => Promise.reject(new Error('audio is in memory')),
    addBuffer: () => Promise.resolve(),
    addBuffers(body, key) {
      if (key.startsWith('generation/')) stored.push(Buffer.concat(body));
      return Promise.resolve();
    },
    done: () => Promise.resolve(),
    ended: () => Promise.resolve(),
  };
  const to = { generation: 'generation', preview: 'preview', attempt: 'a' };
  const { signal } = new AbortController();
  await storeAudioSegments({ ctx, plan: { ...plan, audio: plan.audio.slice(0, 1) }, chunk, to, uploads, signal });
  return stored;
}
