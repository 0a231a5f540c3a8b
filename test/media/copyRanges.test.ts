import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Storage } from '../../shared/platform/storage/storage.js';
import { createWorkerContext, type WorkerContext } from '../../workers/runtime/workerContext.js';
import { openTestContext } from '../support/context.js';
import { copyDirectly, expectSameFrames } from '../support/directCopy.js';
import { withAudioBehind } from '../support/isoBoxes.js';
import { liveCoding, makeVideo } from '../support/media.js';
import { startS3 } from '../support/s3.js';
import { useFixture } from '../support/fixtures.js';

const clip = (): Promise<string> => makeVideo({ seconds: 40, size: '320x180', coding: liveCoding });

describe('a source that cannot be read in ranges of an object store', function () {
  this.timeout(60_000);
  const store = useFixture(startS3);
  const ctx = useFixture(() => openTestContext({ ...store.env }));

  it('is fetched where its container has no index that can be read in ranges', async () => {
    const coding = [...liveCoding, '-movflags', 'frag_keyframe+empty_moov'];
    const path = await makeVideo({ seconds: 6, size: '160x90', coding });
    const sourceKey = 'sources/fragmented/original';
    const { bytes } = await ctx.storage.put(sourceKey, await readFile(path), { contentType: 'video/mp4' });
    const stored = { sourceKey, sourceBytes: bytes };
    const { outcome, copyable } = await copyDirectly(createWorkerContext(ctx), ctx.config.dataDir, stored);
    expect(outcome).to.equal('copied');
    expect(copyable?.source.protocols).to.equal('file');
  });

  it('is fetched where its audio is behind all of its video, and read only once', async () => {
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

  it('is encoded where ffprobe or ffmpeg would read it many times', async () => {
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
