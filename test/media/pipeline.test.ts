import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, type types } from 'hls-parser';
import { assembleContent } from '../../shared/content/content.jobs.js';
import { Content } from '../../shared/content/content.model.js';
import { releaseReplacedGenerations } from '../../shared/content/replacedGeneration.service.js';
import { contentFolder, generationFolder } from '../../shared/content/storageKeys.js';
import { contentStates } from '../../shared/content/contentState.queries.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import {
  joinRendition,
  makeVideo,
  packetsOf,
  readStored,
  runTool,
  settledContent,
  storedKeys,
  uploadClip,
} from '../support/media.js';
import { expectKnownSizes, beginGeneration } from '../support/rows.js';
import { startWorkers } from '../support/workers.js';
import { makeUser } from '../support/users.js';

const seconds = 17.3;

describe('a content from upload to READY', function () {
  // Both waits end as soon as the content is READY or FAILED; the timeout only stops a hanging test.
  this.timeout(15 * 60_000);
  let ctx: TestContext;
  let workers: { close: () => Promise<void> };
  let ownerId: string;
  let content: Content;

  before(async () => {
    ctx = await openTestContext({ CHUNK_SECONDS: '8' });
    ownerId = (await makeUser(ctx, { transcoderNotifyEnabled: true, language: 'it' })).id;
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status', 'mail'] });
    const id = await uploadClip(
      ctx,
      ownerId,
      await makeVideo({ seconds, size: '640x360', rate: '30000/1001' }),
      'Festa.mp4',
    );
    content = await eventually(() => settledContent(ctx, id), { timeoutMs: 10 * 60_000 });
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
  });

  after(async () => {
    await workers.close();
    await ctx.close();
  });

  const folder = (): string => generationFolder(content, content.readyGeneration ?? 0);

  async function playlist<Kind>(path: string): Promise<Kind> {
    return parse((await readStored(ctx, `${folder()}/${path}`)).toString()) as Kind;
  }

  it('has a master playlist that describes its renditions correctly', async () => {
    const master = await playlist<types.MasterPlaylist>('master.m3u8');
    expect(master.variants.map(({ uri, resolution }) => [uri, resolution?.width, resolution?.height])).to.deep.equal([
      ['240p.m3u8', 426, 240],
      ['360p.m3u8', 640, 360],
    ]);
    const audio = await measured('audio-0.m3u8');
    for (const variant of master.variants) {
      expect(variant.codecs).to.match(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
      expect(variant.frameRate).to.equal(29.97);
      expect(variant.audio.map(({ uri, name, isDefault }) => [uri, name, isDefault])).to.deep.equal([
        ['audio-0.m3u8', 'Original', true],
      ]);
      const { peak, durations } = await measured(variant.uri);
      expect(variant.bandwidth).to.be.closeTo(peak + audio.peak, 2);
      expect(variant.averageBandwidth).to.be.within(1, variant.bandwidth);
      expect(durations).to.deep.equal([4.004, 4.004, 4.004, 4.004, 1.3013]);
    }
  });

  /** Bits per second of a playlist's largest segment. */
  async function measured(name: string) {
    const rendition = await playlist<types.MediaPlaylist>(name);
    const sizes = await Promise.all(
      rendition.segments.map(async ({ uri, duration }) => ({
        duration,
        bytes: (await ctx.storage.stat(`${folder()}/${uri}`))?.bytes ?? 0,
      })),
    );
    const peak = Math.max(...sizes.map(({ bytes, duration }) => (bytes * 8) / duration));
    return { peak, durations: rendition.segments.map(({ duration }) => duration) };
  }

  /** The number of frames that a simple HLS client plays until the end. */
  async function playedFrames(path: string): Promise<number> {
    const printed = await runTool('ffmpeg', [
      ...['-allowed_extensions', 'ALL', '-i', ctx.storage.localPath(`${folder()}/${path}`) as string],
      ...['-map', '0:v:0', '-f', 'framecrc', '-'],
    ]);
    return printed.split('\n').filter((line) => line.startsWith('0,')).length;
  }

  it('plays to the end in a simple HLS client, without an error', async () => {
    expect(await playedFrames('master.m3u8')).to.equal(content.plan?.frameCount);
  });

  it('has a complete preview that ends within 15.0 s', async () => {
    const preview = await playlist<types.MediaPlaylist>('preview/240p.m3u8');
    const total = preview.segments.reduce((sum, { duration }) => sum + duration, 0);
    expect(total)
      .to.be.closeTo((449 * 1001) / 30_000, 0.001)
      .and.to.be.at.most(15);
    const uris = [...preview.segments.map(({ uri }) => uri), ...preview.segments.map(({ map }) => map?.uri ?? '')];
    expect(uris.filter((uri) => uri.startsWith('/') || uri.includes('..') || uri.includes(':'))).to.deep.equal([]);
    for (const rendition of ['240p', '360p']) {
      const media = await joinRendition(ctx, `${folder()}/preview`, rendition);
      const frames = await packetsOf(media, 'v');
      const audio = await packetsOf(media, 'a');
      expect(frames).to.have.length(449);
      const shown = frames.map(({ pts }) => pts).toSorted((left, right) => left - right);
      expect(shown.every((pts, index) => index === 0 || pts - (shown[index - 1] ?? 0) === 1001)).to.equal(true);
      expect(audio.every(({ pts }, index) => index === 0 || pts - (audio[index - 1]?.pts ?? 0) === 1024)).to.equal(
        true,
      );
      expect(((audio.at(-1)?.pts ?? 0) + 1024) / 48_000).to.be.within(14.9, 15);
    }
    expect(await playedFrames('preview/master.m3u8')).to.equal(449);
  });

  it('has no files other than those in its playlists and its seek pictures', async () => {
    await eventually(async () => {
      const { storyboard } = await ctx.db.model(Content).findByPk(content.id, { rejectOnEmpty: true });
      const named = new Set([`${contentFolder(content)}/${storyboard?.folder}/000.jpg`]);
      for (const set of ['', 'preview/']) {
        named.add(`${folder()}/${set}master.m3u8`);
        for (const rendition of ['240p', '360p', 'audio-0']) {
          named.add(`${folder()}/${set}${rendition}.m3u8`);
          for (const { uri, map } of (await playlist<types.MediaPlaylist>(`${set}${rendition}.m3u8`)).segments)
            named.add(`${folder()}/${set}${uri}`).add(`${folder()}/${set}${map?.uri}`);
        }
      }
      expect((await storedKeys(ctx, contentFolder(content))).toSorted()).to.deep.equal([...named].toSorted());
    });
    const working = join(ctx.config.dataDir, 'media');
    const left = await Promise.all((await readdir(working)).map((name) => readdir(join(working, name))));
    expect(left).to.deep.equal([[]]);
  });

  it('counts in its owner’s storage, and its rows contain the size of each segment', async () => {
    await expectKnownSizes(ctx, folder());
    let stored = 0;
    for await (const { bytes } of ctx.storage.list(folder())) stored += bytes;
    expect(content.renditionBytes).to.equal(stored);
    const usage = await usageOf(ctx, ownerId);
    const { extraBytes } = await ctx.db.model(Content).findByPk(content.id, { rejectOnEmpty: true });
    expect(extraBytes).to.be.above(0);
    expect(usage).to.include({ renditionBytes: stored + extraBytes, thumbnailBytes: content.thumbnailBytes });
  });

  it('reports 100 percent, and sends one mail in its owner’s language', async () => {
    expect((await contentStates(ctx, [content.id])).get(content.id)?.percent).to.equal(100);
    const mails = await eventually(async () => {
      const names = await readdir(join(ctx.config.dataDir, 'mail'));
      expect(names).to.have.length(1);
      return Promise.all(names.map((name) => readFile(join(ctx.config.dataDir, 'mail', name), 'utf8')));
    });
    expect(mails[0]).to.include('Festa.mp4').and.to.include('pronto');
  });

  it('becomes READY once for any number of calls', async () => {
    const before = await ctx.db.model(Content).findByPk(content.id, { rejectOnEmpty: true });
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, assembleContent, { contentId: content.id, generation: 1 }));
    await eventually(async () => expect(await ctx.db.rows('SELECT 1 FROM outbox')).to.have.length(0));
    const after = await ctx.db.model(Content).findByPk(content.id, { rejectOnEmpty: true });
    expect(after).to.deep.equal(before);
    expect(await readdir(join(ctx.config.dataDir, 'mail'))).to.have.length(1);
  });

  it('plays while it is transcoded again, and the previous generation’s files are removed when its grants have expired', async () => {
    await beginGeneration(ctx, content.id);
    expect(await ctx.db.model(Content).findByPk(content.id)).to.include({
      state: 'READY',
      readyGeneration: 1,
      generation: 2,
    });
    await eventually(
      async () =>
        expect(await ctx.db.model(Content).findByPk(content.id)).to.include({ state: 'READY', readyGeneration: 2 }),
      { timeoutMs: 10 * 60_000 },
    );
    // Viewers of the previous generation can continue until their grants have expired.
    expect(await storedKeys(ctx, generationFolder(content, 1))).not.to.deep.equal([]);
    ctx.clock.advance(86_400_000);
    expect(await releaseReplacedGenerations(ctx)).to.equal(1);
    await eventually(async () => {
      const others = (await storedKeys(ctx, contentFolder(content))).filter(
        (key) => !key.startsWith(`${generationFolder(content, 2)}/`) && !key.includes('/storyboard-'),
      );
      expect(others).to.deep.equal([]);
    });
    const again = await ctx.db.model(Content).findByPk(content.id, { rejectOnEmpty: true });
    expect((await usageOf(ctx, ownerId)).renditionBytes).to.equal(again.renditionBytes + again.extraBytes);
    const former = 'SELECT 1 FROM chunks WHERE content_id = $id AND generation = 1';
    await eventually(async () => expect(await ctx.db.rows(former, { id: content.id })).to.deep.equal([]));
  });
});
