import { expect } from 'chai';
import type { Content } from '../../shared/content/content.model.js';
import { openTestContext, type TestContext } from './context.js';
import { eventually } from './eventually.js';
import { settledContent, uploadClip, makeVideo } from './media.js';
import { startWorkers } from './workers.js';
import { makeUser } from './users.js';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OpenContext } from '../../shared/openContext.js';
import type { TestApi, TestUser } from './api.js';
import { upload } from './uploads.js';
import type { Context } from '../../shared/platform/context.js';
import { randomUUID } from 'node:crypto';
import { planGrid } from '../../shared/media/grid.js';
import type { ChunkPayload } from '../../shared/content/content.jobs.js';
import { createContent } from '../../shared/content/content.lifecycle.js';
import { planContent } from '../../shared/content/generation.lifecycle.js';
import { claimIngestion } from '../../shared/content/ingestion.lifecycle.js';
import { planLadder } from '../../shared/content/ladder.js';
import type { ContentPlan } from '../../shared/content/plan.js';

/** A service with the workers for transcoding, during the tests of a `describe`. */
export interface MediaFixture {
  readonly ctx: TestContext;
  /** Uploads a video, or the file at a path, and waits until it is READY or FAILED. Default timeout: 50 s. */
  settle(video: Buffer | string, timeoutMs?: number): Promise<Content>;
  /** The same, but fails unless the video becomes READY. */
  make(video: Buffer | string, timeoutMs?: number): Promise<Content>;
}

/** Opened before the tests of the calling `describe`, and closed after them. */
export function mediaFixture(settings: Record<string, string> = {}): MediaFixture {
  let ctx: TestContext;
  let ownerId: string;
  let workers: { close: () => Promise<void> };

  before(async () => {
    ctx = await openTestContext(settings);
    ownerId = (await makeUser(ctx)).id;
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
  });
  after(async () => {
    await workers?.close();
    await ctx?.close();
  });

  const settle: MediaFixture['settle'] = async (video, timeoutMs = 110_000) => {
    const id = await uploadClip(ctx, ownerId, video);
    return eventually(() => settledContent(ctx, id), { timeoutMs });
  };
  return {
    get ctx() {
      return ctx;
    },
    settle,
    async make(video, timeoutMs) {
      const content = await settle(video, timeoutMs);
      expect(content.state, content.failureDetail ?? '').to.equal('READY');
      return content;
    },
  };
}

export interface Clip {
  /** `854x480` */
  readonly size: string;
  readonly seconds: number;
  /** Frames per second, `25` by default. */
  readonly rate?: string;
  readonly title?: string;
}

/** Uploads a clip with video and audio, and runs the complete pipeline. Resolves with its box id. */
export async function readyClip(
  ctx: OpenContext,
  api: TestApi,
  user: TestUser,
  { title = 'A video', ...clip }: Clip,
): Promise<string> {
  const path = await makeVideo(clip);
  const [boxId] = await readyFiles(ctx, api, user, [{ path, title }]);
  return boxId as string;
}

/** Uploads files and runs the complete pipeline for all of them. Resolves with their box ids in the same order. */
export async function readyFiles(
  ctx: OpenContext,
  api: TestApi,
  user: TestUser,
  files: readonly { readonly path: string; readonly title: string }[],
): Promise<string[]> {
  const workers = await startWorkers(ctx);
  try {
    return await uploadReady(api, user, files);
  } finally {
    await workers.close();
  }
}

/** The same while workers run. */
export async function uploadReady(
  api: TestApi,
  user: TestUser,
  files: readonly { readonly path: string; readonly title: string }[],
): Promise<string[]> {
  const boxIds: string[] = [];
  for (const { path, title } of files) {
    const parts = { title, file: await readFile(path), fileName: basename(path) };
    const { status, text, body } = await upload(api, user, parts);
    if (status !== 201) throw new Error(`the upload responded ${status}: ${text}`);
    boxIds.push(body.boxId as string);
  }
  for (const boxId of boxIds)
    await eventually(() => assertReady(api, user, boxId), { timeoutMs: 120_000, everyMs: 200 });
  return boxIds;
}

/** Publishes an item for everybody. Resolves with the URL of its player page. */
export async function publishFree(api: TestApi, { token }: TestUser, boxId: string | undefined): Promise<string> {
  const { body } = await api.call('POST', `/api/box/${boxId}/vod`, { token, body: { licenseType: 'FREE' } });
  return `${api.url}/embed/?vod=${body.vodId}`;
}

async function assertReady(api: TestApi, user: TestUser, boxId: string): Promise<void> {
  const { body, text } = await api.call('GET', `/api/box/${boxId}`, { token: user.token });
  if (body.status !== 'READY') throw new Error(`not ready: ${text}`);
}

/** The plan of 8 s of video in two chunks. */
function planOf(sourceKey: string): ContentPlan {
  const grid = planGrid({ frameRate: [25, 1], frameCount: 200, chunkSeconds: 4 });
  const renditions = planLadder({ width: 160, height: 90, codec: 'h264', bits: null, framesPerSecond: 25 });
  const source = { key: sourceKey, demuxer: 'mov', stream: 0, seekable: true, originSeconds: 0 };
  return {
    ...grid,
    durationMs: 8000,
    renditions,
    source: { ...source, still: false, interlaced: false, highDynamicRange: null },
    audio: [
      {
        name: 'audio-0',
        language: 'und',
        label: 'Original',
        channels: 2,
        key: 'none',
        packetCount: 375,
        offsets: [0, 1, 2],
      },
    ],
  };
}

/** The first of two chunks of a content with a plan and without files. */
export async function plannedChunk(ctx: Context): Promise<ChunkPayload> {
  const { id: ownerId } = await makeUser(ctx);
  const id = randomUUID();
  const source = { sourceKey: `sources/${id}/original`, sourceName: 'clip.mp4', sourceBytes: 1000 };
  await ctx.db.transaction((tx) => createContent(ctx, tx, { id, ownerId, ...source }));
  const claim = await claimIngestion(ctx, id, 'ingestion');
  if (claim.outcome !== 'claimed') throw new Error('ingestion could not be claimed');
  const media = {
    plan: planOf(source.sourceKey),
    width: 160,
    height: 90,
    hasVideo: true,
    hasAudio: true,
    audioTracks: [],
    missingEndSeconds: 0,
    chapters: null,
  };
  const thumbnail = { id: randomUUID(), sizeBytes: 1 };
  await ctx.db.transaction((tx) =>
    planContent(ctx, tx, claim.work, 'ingestion', { ...media, thumbnail, isBehindOthers: false, quick: false }),
  );
  return { contentId: id, generation: 1, chunk: 0 };
}
