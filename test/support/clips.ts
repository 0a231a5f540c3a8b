import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OpenContext } from '../../shared/openContext.js';
import type { TestApi, TestUser } from './api.js';
import { eventually } from './eventually.js';
import { makeVideo } from './media.js';
import { upload } from './uploads.js';
import { startWorkers } from './workers.js';

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
  const boxIds: string[] = [];
  for (const { path, title } of files) {
    const parts = { title, file: await readFile(path), fileName: basename(path) };
    const { status, text, body } = await upload(api, user, parts);
    if (status !== 201) throw new Error(`the upload responded ${status}: ${text}`);
    boxIds.push(body.boxId as string);
  }
  const workers = await startWorkers(ctx);
  try {
    for (const boxId of boxIds) {
      await eventually(() => assertReady(api, user, boxId), { timeoutMs: 110_000, everyMs: 200 });
    }
  } finally {
    await workers.close();
  }
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
