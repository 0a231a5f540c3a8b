import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { failContent } from '../../workers/content/failContent.js';
import { registerUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { useFixture, serviceFixture } from '../support/fixtures.js';
import { audioStarts, joinRendition, makeClip, storedKeys } from '../support/media.js';
import { changeRow, storedRows } from '../support/rows.js';
import { upload } from '../support/uploads.js';
import { startWorkers } from '../support/workers.js';

const seconds = 8;
/** A film that beeps at 3 and 7 s. */
const film = (): Promise<string> =>
  makeClip('mkv', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `aevalsrc='if(between(mod(t,4),3,3.1),0.8*sin(880*2*PI*t),0)':s=48000:d=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ]);
const bytesOf = ({ renditionBytes, extraBytes }: Content): number => renditionBytes + extraBytes;
const queues = ['ingestion', 'quick-transcoding', 'transcoding', 'transcoding-status'] as const;

describe('a content that is processed again', function () {
  this.timeout(180_000);
  const { ctx, api } = serviceFixture({});
  const user = useFixture(() => registerUser(api));

  const request = (boxId: string) => api.call('POST', `/api/box/${boxId}/reprocess`, { token: user.token });
  const rowOf = async (id: string): Promise<Content> => (await storedRows(ctx, Content, { id }))[0] as Content;

  /** The row after a generation plays in all renditions or has failed. */
  const settled = (id: string, generation: number): Promise<Content> =>
    eventually(
      async () => {
        const row = await rowOf(id);
        expect(Math.max(row.readyGeneration ?? 0, row.failedGeneration ?? 0), row.failureDetail ?? '').to.equal(
          generation,
        );
        expect(row.generation).to.equal(generation);
        return row;
      },
      { timeoutMs: 90_000 },
    );
  async function beeps(content: Content): Promise<number[]> {
    const folder = generationFolder(content, content.readyGeneration ?? 0);
    return (await audioStarts(await joinRendition(ctx, folder, await renditionIn(folder)))).map(Math.round);
  }
  /** Uploads the film and waits until it plays in all renditions. */
  async function made(): Promise<{ readonly boxId: string; readonly content: Content }> {
    const { body } = await upload(api, user, { file: await readFile(await film()) });
    const content = await eventually(
      async () => {
        const row = await rowOf(String(body.resourceId));
        expect(row.readyGrid).to.not.equal(null);
        return row;
      },
      { timeoutMs: 90_000 },
    );
    return { boxId: String(body.boxId), content };
  }
  async function withWorkers<Result>(work: () => Promise<Result>): Promise<Result> {
    const workers = await startWorkers(ctx, { queues });
    try {
      return await work();
    } finally {
      await workers.close();
    }
  }

  it('becomes READY if a fault of the machine had made it FAILED', async () => {
    const { body } = await upload(api, user, { file: await readFile(await film()) });
    const contentId = String(body.resourceId);
    await failContent(ctx, { contentId, generation: 1 }, { key: 'content.failure.unreadable', detail: 'a full disk' });
    expect((await rowOf(contentId)).state).to.equal('FAILED');
    expect((await request(String(body.boxId))).body).to.include({ status: 'PENDING' });
    const content = await withWorkers(() => settled(contentId, 2));
    expect([content.state, content.failureKey, content.mediaCounted]).to.deep.equal(['READY', null, true]);
    expect(await beeps(content)).to.deep.equal([3, 7]);
  });

  it('plays as before until it is complete, even if its worker is lost, and counts its bytes once', async () => {
    const { boxId, content: first } = await withWorkers(made);
    const play = () => api.call('POST', `/api/box/${boxId}/play`, { token: user.token });
    const [used, bytes] = [await usageOf(ctx, user.userId), bytesOf(await rowOf(first.id))];
    expect((await request(boxId)).body).to.include({ status: 'READY', preparing: 0 });
    expect((await play()).body.result).to.equal('PLAY');
    // A worker has started and was killed.
    const past = new Date(ctx.clock.now().getTime() - 1000);
    await changeRow(ctx, Content, first.id, { leaseOwner: 'a lost worker', leaseUntil: past, attempt: 1 });
    const again = await withWorkers(() => settled(first.id, first.generation + 1));
    expect([again.state, again.readyGeneration]).to.deep.equal(['READY', first.generation + 1]);
    expect(await beeps(again)).to.deep.equal([3, 7]);
    expect(await beeps(first), 'of viewers with earlier grants').to.deep.equal([3, 7]);
    const now = await usageOf(ctx, user.userId);
    expect(now.renditionBytes - used.renditionBytes).to.equal(bytesOf(await rowOf(first.id)) - bytes);
    expect(now.mediaSeconds - used.mediaSeconds, 'inspection and length').to.be.greaterThan(10);
    expect((await play()).body.result).to.equal('PLAY');
  });

  it('is unchanged if it cannot be processed again', async () => {
    await withWorkers(async () => {
      const { boxId, content } = await made();
      await ctx.storage.put(content.sourceKey, Buffer.from('no film any more'), { contentType: 'video/mp4' });
      expect((await request(boxId)).status).to.equal(200);
      const failed = await settled(content.id, content.generation + 1);
      expect([failed.state, failed.readyGeneration]).to.deep.equal(['READY', content.generation]);
      expect(await beeps(failed)).to.deep.equal([3, 7]);
      const { message } = (await api.call('GET', `/api/box/${boxId}`, { token: user.token })).body;
      expect(message).to.contain('could not be processed again, and plays as before');
    });
  });

  async function renditionIn(folder: string): Promise<string> {
    const list =
      (await storedKeys(ctx, folder)).find((key) => /\/\d+p(-\d+)?\.m3u8$/.test(key) && !key.includes('preview')) ?? '';
    return list.slice(list.lastIndexOf('/') + 1, -'.m3u8'.length);
  }
});
