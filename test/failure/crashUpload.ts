import { expect } from 'chai';
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Content } from '../../shared/content/content.model.js';
import { contentFolder, generationFolder } from '../../shared/content/storageKeys.js';
import { parseContentUrn } from '../../shared/content/contentUrn.js';
import type { Context } from '../../shared/platform/context.js';
import { registerUser, type TestUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { untilSettled, uploadClip, type TestDeployment } from '../support/deployment.js';
import { makeVideo } from '../support/media.js';
import { SearchMark } from '../../shared/platform/search/index.js';
import { storedRows } from '../support/rows.js';

/** A crash is detected when the process's lease and lock expire; then the work is repeated. */
export const recoveryMs = 150_000;

/** Five chunks of 4 s, slow enough to be interrupted in the middle of the work. */
export const crashUploadSettings = {
  CHUNK_SECONDS: '4',
  MEDIA_THREADS: '1',
  ENCODER_PRESET: 'veryfast',
  WORKER_LOCK_SECONDS: '3',
};

/** An upload that must become READY after any crash. */
export interface CrashUpload {
  readonly owner: TestUser;
  readonly boxId: string;
  readonly uuid: string;
}

/** Uploads a video of 18 s for a new user who has mail notices switched on. */
export async function uploadForCrash(deployment: TestDeployment): Promise<CrashUpload> {
  const { api } = deployment;
  const owner = await registerUser(api);
  const { body: me } = await api.call('GET', '/api/user/me', { token: owner.token });
  const features = { ...me.features, transcoderNotifyEnabled: true };
  await api.call('POST', '/api/user/me', { token: owner.token, body: { ...me, features } });
  const video = await openAsBlob(await makeVideo({ seconds: 18, size: '426x240', rate: '12' }));
  const { boxId, contentId } = await uploadClip(api, owner.token, video, 'Crash test');
  return { owner, boxId, uuid: parseContentUrn(deployment.ctx.config.service.urnNamespace, contentId) as string };
}

/** Expects READY, one mail to the owner, no unreferenced files, and a search index equal to the rows. */
export async function expectReadyOnce(
  { api, ctx }: TestDeployment,
  crashUploads: readonly CrashUpload[],
): Promise<void> {
  for (const { owner, boxId, uuid } of crashUploads) {
    const status = await untilSettled(api, owner.token, boxId, recoveryMs);
    const [content] = await ctx.db.rows<{ detail: string | null }>(
      'SELECT failure_detail AS detail FROM contents WHERE id = $uuid',
      { uuid },
    );
    expect(status, content?.detail ?? undefined).to.equal('READY');
    await eventually(async () => expect(await unreferencedFiles(ctx, uuid)).to.deep.equal([]), { timeoutMs: 60_000 });
  }
  await eventually(
    async () => expect(await readdir(join(ctx.config.dataDir, 'mail'))).to.have.length(crashUploads.length),
    { timeoutMs: 30_000 },
  );
  await expectSearchInStep(ctx);
}

/** Expects, after all dirty marks are drained, that the engines contain exactly the current rows. */
async function expectSearchInStep(ctx: Context): Promise<void> {
  await eventually(async () => expect(await storedRows(ctx, SearchMark)).to.deep.equal([]), { timeoutMs: 30_000 });
  for (const drift of await ctx.search.maintenance.sweepDrift())
    expect(drift).to.include({ missing: 0, dangling: 0, outdated: 0 });
}

/** Stored files of a content that neither its playlists nor its row refer to. */
async function unreferencedFiles(ctx: Context, uuid: string): Promise<string[]> {
  const { storage } = ctx;
  const content = await ctx.db.model(Content).findByPk(uuid, { rejectOnEmpty: true });
  const stored: string[] = [];
  for await (const file of storage.list(contentFolder(content))) stored.push(file.key);
  const sheets = `${contentFolder(content)}/${content.storyboard?.folder}/`;
  const reached = new Set(stored.filter((key) => key.startsWith(sheets)));
  for (const playlist of ['master.m3u8', 'preview/master.m3u8'])
    await follow(storage, `${generationFolder(content, 1)}/${playlist}`, reached);
  return stored.filter((key) => !reached.has(key)).toSorted();
}

async function follow(storage: Context['storage'], key: string, reached: Set<string>): Promise<void> {
  if (reached.has(key)) return;
  reached.add(key);
  if (!key.endsWith('.m3u8')) return;
  let text = '';
  for await (const part of await storage.read(key)) text += String(part);
  const links = [...text.matchAll(/^[^#\s].*$|URI="([^"]+)"/gm)].map((match) => match[1] ?? match[0]);
  for (const link of links) await follow(storage, new URL(link, `http://store/${key}`).pathname.slice(1), reached);
}
