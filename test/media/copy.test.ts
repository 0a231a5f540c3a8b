import { expect } from 'chai';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import type { Storage } from '../../shared/platform/storage/storage.js';
import { ingestContentHandler } from '../../workers/ingestion/ingestContent.js';
import type { JobRun } from '../../workers/runtime/jobTypes.js';
import { type WorkerContext, createWorkerContext } from '../../workers/runtime/workerContext.js';
import { type TestContext, openTestContext } from '../support/context.js';
import { copyDirectly, expectSameFrames } from '../support/directCopy.js';
import { eventually, rejection } from '../support/eventually.js';
import { useFixture, serviceFixture } from '../support/fixtures.js';
import { withAudioBehind } from '../support/isoBoxes.js';
import {
  joinRendition,
  liveCoding,
  makeVideo,
  readStored,
  settledContent,
  storedKeys,
  uploadClip,
} from '../support/media.js';
import { startS3 } from '../support/s3.js';
import { upload } from '../support/uploads.js';
import { createLoggedInUser } from '../support/users.js';
import { jobRunOf, startWorkers } from '../support/workers.js';

/** Ten segments, each with two groups of pictures. */
const seconds = 40;
const clip = (): Promise<string> => makeVideo({ seconds, size: '320x180', coding: liveCoding });

function runOf(ctx: TestContext, contentId: string, storage: Storage = ctx.storage): JobRun<ContentPayload> {
  return jobRunOf({ ...ctx, storage }, { contentId }, { isLastAttempt: false });
}

/** A storage that blocks segments from this number on until `open` is called. */
function gate(storage: Storage, from: number): { storage: Storage; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    open: () => open(),
    storage: {
      ...storage,
      async put(key, body, options) {
        const [, number = '-1'] = /\/(\d{5})\.m4s$/.exec(key) ?? [];
        if (Number(number) >= from) await opened;
        return storage.put(key, body, options);
      },
    },
  };
}

async function contentOf(ctx: TestContext, id: string): Promise<Content> {
  return ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });
}

/** The files of a playlist, each of which must be stored. */
async function listed(ctx: TestContext, folder: string, name: string): Promise<string[]> {
  const text = (await readStored(ctx, `${folder}/${name}`)).toString();
  const names = text.split('\n').filter((line) => line.endsWith('.m4s'));
  for (const file of names) expect(await ctx.storage.stat(`${folder}/${file}`), file).not.to.equal(null);
  return names;
}

describe('a content that is copied', function () {
  this.timeout(120_000);
  const { ctx, api } = serviceFixture({ QUICK_GENERATION: 'true', CHUNK_SECONDS: '40' });
  const owner = useFixture(() => createLoggedInUser(ctx));

  it('is READY with every source frame and a preview of complete segments before its renditions are encoded', async () => {
    const path = await clip();
    const before = await usageOf(ctx, owner.userId);
    const id = await uploadClip(ctx, owner.userId, path);
    const workers = await startWorkers(ctx, { queues: ['ingestion'] });
    let content: Content;
    try {
      content = await eventually(() => settledContent(ctx, id), { timeoutMs: 60_000 });
    } finally {
      await workers.close();
    }
    expect(content).to.include({ state: 'READY', readyGeneration: 1, generation: 2, quick: false, readyGrid: null });
    expect(content).to.include({ durationMs: seconds * 1000, width: 320, height: 180, hasVideo: true, hasAudio: true });
    const folder = generationFolder(content, 1);
    expect(await listed(ctx, folder, '180p-a1.m3u8')).to.have.length(10);
    await expectSameFrames(path, await joinRendition(ctx, folder, '180p-a1'), 0);
    const list = (await readStored(ctx, `${folder}/180p-a1.m3u8`)).toString();
    expect(list.match(/#EXTINF:4\.000000,/g)).to.have.length(10);
    expect(list).to.include('#EXT-X-TARGETDURATION:4\n').and.to.include('#EXT-X-ENDLIST');
    expect(await listed(ctx, `${folder}/preview`, '180p-a1.m3u8'), 'preview').to.have.length(3);
    expect((await readStored(ctx, `${folder}/master-a1.m3u8`)).toString()).to.match(
      /CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/,
    );
    let stored = 0;
    for await (const { bytes } of ctx.storage.list(folder)) stored += bytes;
    const growing = await Promise.all(
      ['growing.m3u8', '180p-growing.m3u8'].map((name) => ctx.storage.stat(`${folder}/${name}`)),
    );
    const rewritten = growing.reduce((sum, file) => sum + (file?.bytes ?? 0), 0);
    expect(content.renditionBytes).to.be.within(stored - rewritten, stored);
    const after = await usageOf(ctx, owner.userId);
    expect(after.renditionBytes - before.renditionBytes).to.equal(content.renditionBytes);
  });

  it('plays for its owner while it is copied, with a playlist that grows to the end', async () => {
    const file = await readFile(await clip());
    const { body } = await upload(api, owner, { file, fileName: 'growing.mp4' });
    const id = (body.contentId as string).split(':').at(-1) as string;
    const slow = gate(ctx.storage, 3);
    const done = ingestContentHandler(runOf(ctx, id, slow.storage));
    const play = await eventually(
      async () => {
        const played = await api.call('POST', `/api/box/${body.boxId}/play`, { token: owner.token });
        expect(played.body.result).to.equal('PLAY');
        return new URL(new URL(played.body.streamer as string).pathname, api.url).href;
      },
      { timeoutMs: 60_000 },
    );
    expect(play).to.match(/\/growing\.m3u8$/);
    const read = async (): Promise<string> => {
      const master = await fetch(play);
      expect(master.status).to.equal(200);
      expect(master.headers.get('cache-control')).to.include('no-cache');
      const name = (await master.text()).split('\n').find((line) => line.endsWith('-growing.m3u8')) as string;
      const response = await fetch(new URL(name, play));
      expect(response.status).to.equal(200);
      return response.text();
    };
    const early = await eventually(async () => {
      const list = await read();
      expect(list.match(/\.m4s$/gm)).to.have.length(3);
      return list;
    });
    expect(early).to.include('#EXT-X-PLAYLIST-TYPE:EVENT').and.not.to.include('#EXT-X-ENDLIST');
    const name = early.split('\n').find((line) => line.endsWith('00002.m4s')) as string;
    expect((await fetch(new URL(name, play))).status).to.equal(200);
    expect(await contentOf(ctx, id)).to.include({ state: 'PENDING', growing: true, durationMs: seconds * 1000 });
    slow.open();
    expect(await done).to.deep.equal({ copied: 1 });
    const late = await read();
    expect(late.startsWith(early.trimEnd()), 'the list begins as before').to.equal(true);
    expect(late.match(/\.m4s$/gm)).to.have.length(10);
    expect(late).to.include('#EXT-X-ENDLIST');
    expect(await contentOf(ctx, id)).to.include({ state: 'READY', growing: false });
    const { body: ready } = await api.call('POST', `/api/box/${body.boxId}/play`, { token: owner.token });
    expect(ready.streamer).to.match(/\/master-a1\.m3u8$/);
    const master = await fetch(new URL(new URL(ready.streamer as string).pathname, api.url));
    expect(await master.text()).to.include('180p-a1.m3u8');
  });

  it('is the copy of the lease owner, even if the previous worker continues', async () => {
    const id = await uploadClip(ctx, owner.userId, await clip());
    const slow = gate(ctx.storage, 5);
    const first = ingestContentHandler(runOf(ctx, id, slow.storage));
    await eventually(async () => expect((await contentOf(ctx, id)).growing).to.equal(true), { timeoutMs: 60_000 });
    // The first worker may renew its lease between the two statements: then the second worker finds it held and ends again.
    await eventually(
      async () => {
        await ctx.db.change(`UPDATE contents SET lease_until = now() - interval '1 second' WHERE id = $id`, { id });
        expect(await ingestContentHandler(runOf(ctx, id))).to.deep.equal({ copied: 1 });
      },
      { timeoutMs: 60_000 },
    );
    slow.open();
    expect(await rejection(first)).to.be.instanceOf(HeldElsewhereError);
    const content = await contentOf(ctx, id);
    expect(content).to.include({ state: 'READY', readyGeneration: 1, readyAttempt: 2 });
    const folder = generationFolder(content, 1);
    for (const name of ['180p-a2.m3u8', '180p-growing.m3u8']) {
      const files = await listed(ctx, folder, name);
      expect(files).to.have.length(10);
      expect(
        files.every((file) => file.startsWith('copy0-a2/')),
        name,
      ).to.equal(true);
    }
  });

  it('is encoded if the copy is damaged, without remains of the copy', async () => {
    const file = await readFile(await clip());
    // In the middle of the media, after some complete segments.
    file.fill(0, Math.floor(file.length * 0.5), Math.floor(file.length * 0.5) + 4000);
    const id = await uploadClip(ctx, owner.userId, file);
    expect(await ingestContentHandler(runOf(ctx, id))).to.have.property('chunks');
    const content = await contentOf(ctx, id);
    expect(content).to.include({ state: 'PENDING', generation: 1, growing: false });
    expect(content.plan).not.to.equal(null);
    expect(await storedKeys(ctx, generationFolder(content, 1))).to.deep.equal([]);
  });
});

describe('a content that is copied in an object store', function () {
  this.timeout(120_000);
  const store = useFixture(startS3);
  const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'true', ...store.env }));

  it('is read in ranges without a local copy of its source', async () => {
    const owner = await createLoggedInUser(ctx);
    const path = await clip();
    const id = await uploadClip(ctx, owner.userId, path);
    const noFetch: Storage = {
      ...ctx.storage,
      fetch: async () => {
        throw new Error('the complete source is downloaded');
      },
    };
    expect(await ingestContentHandler(runOf(ctx, id, noFetch))).to.deep.equal({ copied: 1 });
    const content = await contentOf(ctx, id);
    expect(content.state).to.equal('READY');
    await expectSameFrames(path, await joinRendition(ctx, generationFolder(content, 1), '180p-a1'), 0);
    const root = join(ctx.config.dataDir, 'media');
    const kept = (await Promise.all((await readdir(root)).map((name) => readdir(join(root, name))))).flat();
    expect(kept).to.deep.equal([]);
  });
});

describe('a source that cannot be read in ranges of an object store', function () {
  this.timeout(60_000);
  const store = useFixture(startS3);
  const ctx = useFixture(() => openTestContext({ ...store.env }));

  it('is downloaded if its container has no index that can be read in ranges', async () => {
    const coding = [...liveCoding, '-movflags', 'frag_keyframe+empty_moov'];
    const path = await makeVideo({ seconds: 6, size: '160x90', coding });
    const sourceKey = 'sources/fragmented/original';
    const { bytes } = await ctx.storage.put(sourceKey, await readFile(path), { contentType: 'video/mp4' });
    const stored = { sourceKey, sourceBytes: bytes };
    const { outcome, copyable } = await copyDirectly(createWorkerContext(ctx), ctx.config.dataDir, stored);
    expect(outcome).to.equal('copied');
    expect(copyable?.source.protocols).to.equal('file');
  });

  it('is downloaded and read only once if its audio follows all of its video', async () => {
    const file = withAudioBehind(await readFile(await clip()));
    const sourceKey = 'sources/behind/original';
    await ctx.storage.put(sourceKey, file, { contentType: 'video/mp4' });
    let ranges = 0;
    const storage: Storage = {
      ...ctx.storage,
      read: async (key, range) => {
        ranges += 1;
        return ctx.storage.read(key, range);
      },
    };
    const stored = { sourceKey, sourceBytes: file.length };
    const copy = await copyDirectly(createWorkerContext({ ...ctx, storage }), ctx.config.dataDir, stored);
    expect(copy.outcome).to.equal('copied');
    expect(copy.copyable?.source.protocols).to.equal('file');
    expect(ranges).to.be.below(20);
    await expectSameFrames(await clip(), copy.media, 0);
  });

  it('is encoded if ffprobe or ffmpeg would read it many times', async () => {
    const sourceKey = 'sources/often/original';
    const file = Buffer.alloc(8 * 1024 ** 2);
    await ctx.storage.put(sourceKey, file, { contentType: 'video/mp4' });
    const worker = createWorkerContext(ctx);
    const readOften: WorkerContext['media']['runner']['inspect'] = async (options) => {
      for (let read = 0; read < 20; read += 1) await (await fetch(options.at(-1) ?? '')).arrayBuffer();
    };
    const runner = { ...worker.media.runner, inspect: readOften };
    const often = { ...worker, media: { ...worker.media, runner } };
    const stored = { sourceKey, sourceBytes: file.length };
    expect(await copyDirectly(often, ctx.config.dataDir, stored)).to.include({ outcome: 'copy' });
  });
});
