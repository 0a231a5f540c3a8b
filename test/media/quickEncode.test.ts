import { expect } from 'chai';
import { chunksOf } from '../../shared/content/content.queries.js';
import { Content } from '../../shared/content/content.model.js';
import { abandonQuickGeneration, failGeneration } from '../../shared/content/generation.lifecycle.js';
import { qualityOf } from '../../shared/content/quality.queries.js';
import { releaseReplacedGenerations } from '../../shared/content/replacedGeneration.service.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { playGrowingPlaylist } from '../../shared/playback/playGrowingPlaylist.js';
import { ingestContentHandler } from '../../workers/ingestion/ingestContent.js';
import type { Handler } from '../../workers/runtime/jobTypes.js';
import { assembleContentHandler } from '../../workers/transcoding-status/assembleContent.js';
import { cleanContentHandler } from '../../workers/transcoding-status/cleanContent.js';
import { transcodeChunkHandler } from '../../workers/transcoding/transcodeChunk.js';
import { openTestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { makeVideo, readStored, storedKeys, uploadClip } from '../support/media.js';
import { makeUser } from '../support/users.js';
import { useFixture } from '../support/fixtures.js';
import { jobRunOf } from '../support/workers.js';

/** A film that cannot be copied, with the ladder 240p, 360p, 480p. */
const clip = { seconds: 21, size: '854x480', rate: '10', extension: 'mkv', coding: ['-c:v', 'mpeg4', '-c:a', 'aac'] };

describe('A content that is first encoded in one rendition', () => {
  const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'true', CHUNK_SECONDS: '4' }));
  const owner = useFixture(() => makeUser(ctx));

  /** Runs a job's handler in this process. */
  const run = <Payload>(handler: Handler<Payload>, payload: Payload): Promise<unknown> =>
    handler(jobRunOf(ctx, payload));
  const read = (id: string): Promise<Content> => ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });
  const positionsOf = ({ plan }: Content): number[] =>
    Array.from({ length: plan?.chunkCount ?? 0 }, (_, index) => index);
  /** Before it is published, a job is only a row of the outbox. */
  const isQueued = async (queue: string, job: string, contentId: string): Promise<boolean> => {
    const jobs =
      (await ctx.queues
        .all()
        .find(({ name }) => name === queue)
        ?.getJobs(['prioritized'])) ?? [];
    return jobs.some(({ name, data }) => name === job && data.contentId === contentId);
  };
  const hasQueued = (queue: string, job: string, contentId: string): Promise<unknown> =>
    eventually(async () => expect(await isQueued(queue, job, contentId)).to.equal(true));
  const encode = async (contentId: string, generation: number, chunks: readonly number[]): Promise<void> => {
    for (const chunk of chunks) await run(transcodeChunkHandler, { contentId, generation, chunk });
  };

  /** The bytes of all listed segments of a rendition in a generation or its preview, in order. */
  const filesOf = async (folder: string, rendition: string): Promise<string[]> => {
    const list = (await readStored(ctx, `${folder}/${rendition}.m3u8`)).toString();
    const paths = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return Promise.all(paths.map(async (path) => (await readStored(ctx, `${folder}/${path}`)).toString('base64')));
  };

  it('plays in a growing playlist, is READY when it is complete, and is replaced with all renditions', async () => {
    const contentId = await uploadClip(ctx, owner.id, await makeVideo(clip));
    await run(ingestContentHandler, { contentId });
    const planned = await read(contentId);
    expect(planned).to.include({ state: 'PENDING', generation: 1, quick: true, growing: false });
    expect(planned.plan?.renditions.map(({ name }) => name)).to.deep.equal(['360p']);
    await hasQueued('quick-transcoding', 'content.transcodeQuick', contentId);
    expect(await isQueued('transcoding', 'content.transcode', contentId)).to.equal(false);
    expect(await playGrowingPlaylist(ctx, planned, owner.userCode)).to.equal(null);

    const positions = positionsOf(planned);
    expect(positions).to.have.length(4);
    await encode(contentId, 1, [1]);
    await run(assembleContentHandler, { contentId, generation: 1 });
    expect((await read(contentId)).growing, 'without the first chunk').to.equal(false);
    await encode(contentId, 1, [0]);
    await run(assembleContentHandler, { contentId, generation: 1 });
    const growing = await read(contentId);
    expect(growing).to.include({ state: 'PENDING', growing: true, durationMs: 21_000 });
    const play = await playGrowingPlaylist(ctx, growing, owner.userCode);
    expect(play?.streamer).to.match(/\/g1\/growing\.m3u8$/);
    const g1 = generationFolder(growing, 1);
    const text = async (name: string): Promise<string> => (await readStored(ctx, `${g1}/${name}`)).toString();
    expect(await text('growing.m3u8')).to.include('360p-growing.m3u8');
    expect(await text('360p-growing.m3u8'))
      .to.include('#EXT-X-PLAYLIST-TYPE:EVENT')
      .and.not.include('ENDLIST');
    const before = (await text('360p-growing.m3u8')).trimEnd();

    await encode(contentId, 1, positions.slice(2));
    await run(assembleContentHandler, { contentId, generation: 1 });
    const grown = await text('360p-growing.m3u8');
    expect(grown.startsWith(before)).to.equal(true);
    expect(grown).to.include('#EXT-X-ENDLIST');
    const ready = await read(contentId);
    expect(ready).to.include({ state: 'READY', readyGeneration: 1, generation: 2, quick: false, growing: false });
    expect(ready.readyGrid).to.equal(null);
    const quality = (await qualityOf(ctx, [contentId])).get(contentId);
    expect(quality?.renditions.map(({ height }) => height)).to.deep.equal([360]);
    expect(quality).to.include({ preparing: 0, hasFailed: false });

    await hasQueued('transcoding', 'content.ingestFully', contentId);
    await run(ingestContentHandler, { contentId });
    const full = await read(contentId);
    expect(full.plan?.renditions.map(({ name }) => name)).to.deep.equal(['240p', '360p', '480p']);
    // The source is not read again; its audio and the existing rendition are not encoded again.
    expect(full.plan?.audio.map(({ key }) => key)).to.deep.equal(planned.plan?.audio.map(({ key }) => key));
    expect(full.plan?.copied?.name).to.equal('360p');
    const fullPositions = positionsOf(full);
    expect(fullPositions).to.have.length(6);
    await encode(contentId, 2, fullPositions.slice(0, 1));
    expect((await qualityOf(ctx, [contentId])).get(contentId)?.preparing).to.be.within(10, 99);
    await encode(contentId, 2, fullPositions.slice(1));
    await run(assembleContentHandler, { contentId, generation: 2 });
    expect(await read(contentId)).to.include({ state: 'READY', readyGeneration: 2, generation: 2 });
    const g2 = generationFolder(full, 2);
    expect(await filesOf(g2, '360p')).to.deep.equal(await filesOf(g1, '360p'));
    expect(await filesOf(`${g2}/preview`, '360p')).to.deep.equal(await filesOf(`${g1}/preview`, '360p'));
    expect((await readStored(ctx, `${g2}/preview/master.m3u8`)).toString()).to.include('360p.m3u8');
    const complete = (await qualityOf(ctx, [contentId])).get(contentId);
    expect(complete?.renditions.map(({ height }) => height)).to.deep.equal([240, 360, 480]);
    expect(complete?.preparing).to.equal(null);
    expect(
      await ctx.db.rows('SELECT 1 FROM contents WHERE id = $contentId AND ready_grid IS NOT NULL', { contentId }),
    ).to.have.length(1);

    // Viewers of the first generation continue until their grants have expired.
    await run(cleanContentHandler, { contentId });
    expect(await storedKeys(ctx, g1)).to.include(`${g1}/360p.m3u8`);
    expect(await chunksOf(ctx, contentId, 1)).to.have.length(positions.length);
    ctx.clock.advance((21 * 1.5 + 1800) * 1000);
    expect(await releaseReplacedGenerations(ctx)).to.equal(1);
    await run(cleanContentHandler, { contentId });
    expect(await storedKeys(ctx, g1)).to.deep.equal([]);
    expect(await storedKeys(ctx, generationFolder(full, 2))).to.include(`${generationFolder(full, 2)}/master.m3u8`);
  });

  it('gets its state from the full generation if the quick one cannot be encoded', async () => {
    const contentId = await uploadClip(ctx, owner.id, await makeVideo(clip));
    await run(ingestContentHandler, { contentId });
    const quick = { contentId, generation: 1 };
    expect(await ctx.db.transaction((tx) => abandonQuickGeneration(ctx, tx, quick))).to.equal(true);
    expect(await ctx.db.transaction((tx) => abandonQuickGeneration(ctx, tx, quick)), 'again').to.equal(false);
    expect(await read(contentId)).to.include({ state: 'PENDING', generation: 2, quick: false });
    await run(ingestContentHandler, { contentId });
    const failure = { key: 'content.failure.unreadable', detail: 'x' };
    await ctx.db.transaction((tx) => failGeneration(ctx, tx, { contentId, generation: 2 }, failure));
    expect(await read(contentId)).to.include({ state: 'FAILED', failureKey: failure.key });
  });

  it('has one generation if its ladder has one rendition', async () => {
    const small = await makeVideo({ ...clip, seconds: 2, size: '320x180' });
    const contentId = await uploadClip(ctx, owner.id, small);
    await run(ingestContentHandler, { contentId });
    expect(await read(contentId)).to.include({ generation: 1, quick: false, mediaCounted: true });
    await encode(contentId, 1, [0]);
    await run(assembleContentHandler, { contentId, generation: 1 });
    const ready = await read(contentId);
    expect(ready).to.include({ state: 'READY', readyGeneration: 1, generation: 1 });
    expect(ready.readyGrid).not.to.equal(null);
  });
});
