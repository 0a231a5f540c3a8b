import { readFile } from 'node:fs/promises';
import type { OpenContext } from '../../shared/context.js';
import type { TestApi, TestUser } from './api.js';
import { eventually } from './eventually.js';
import { makeFilm } from './media.js';
import { upload } from './uploads.js';
import { startWorkers } from './workers.js';

export interface Clip {
  /** `854x480` */
  readonly size: string;
  readonly seconds: number;
  readonly title?: string;
}

/** Uploads a clip with picture and sound, and takes it through the whole pipeline. Resolves with its box id. */
export async function readyClip(
  ctx: OpenContext,
  api: TestApi,
  user: TestUser,
  { size, seconds, title = 'A film' }: Clip,
): Promise<string> {
  const file = await readFile(await makeFilm({ size, seconds }));
  const { status, text, body } = await upload(api, user, { title, file, fileName: 'clip.mp4' });
  if (status !== 201) throw new Error(`the upload answered ${status}: ${text}`);
  const workers = await startWorkers(ctx);
  try {
    await eventually(() => assertReady(api, user, body.boxId), { timeoutMs: 90_000, everyMs: 200 });
  } finally {
    await workers.close();
  }
  return body.boxId;
}

async function assertReady(api: TestApi, user: TestUser, boxId: string): Promise<void> {
  const { body, text } = await api.call('GET', `/api/box/${boxId}`, { token: user.token });
  if (body.status !== 'READY') throw new Error(`not ready: ${text}`);
}
