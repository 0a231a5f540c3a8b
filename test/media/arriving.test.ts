import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { followSliceSeconds, quickArrivalSeconds } from '../../workers/ingestion/followContent.js';
import type { Tunable } from '../../shared/platform/tunable.js';
import { type TestApi, type TestUser, registerUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { fixtureEach, useFixture, type SharedService, serviceFixture } from '../support/fixtures.js';
import { longFilm, readStored, storedKeys } from '../support/media.js';
import { storedRows, sha256 } from '../support/rows.js';
import type { TestContext } from '../support/context.js';
import { testStores } from '../support/stores.js';
import { type TusUpload, openTus, tusFetch } from '../support/tus.js';
import { handmadeForm, noTraces, rawUpload, tracesOf, upload as uploadForm } from '../support/uploads.js';
import { startWorkers } from '../support/workers.js';
import { slowArrivalSeconds } from '../../workers/ingestion/arrivingFile.js';
import { rowsOf } from '../support/requirements.js';

interface Arrivals extends SharedService {
  readonly user: TestUser;
  /** A new upload of which more than half has been received. */
  begin(
    bytes: Buffer,
    owner?: TestUser,
  ): Promise<{ readonly upload: TusUpload; readonly id: string; readonly part: number }>;
  /** The playback address of an upload in progress, or empty if it does not play yet. */
  play(progressId: string): Promise<string>;
  untilPlaying(progressId: string): Promise<string>;
  untilReady(boxId: string): Promise<Content>;
}

const stores = [{ name: 'disk' }, { name: 'S3' }] as const;
/** Containers without an index at the start. */
const growing = [{ name: 'mkv' }, { name: 'flv' }, { name: 'fragmented' }, { name: 'ts' }] as const;

function arrivalsFixture(
  kind: keyof typeof testStores,
  changedLimits: readonly (readonly [Tunable, number])[] = [],
): Arrivals {
  const store = useFixture(() => testStores[kind]());
  const limits = [[quickArrivalSeconds, 0] as const, ...changedLimits];
  const service = serviceFixture(() => ({ ...store.env, QUICK_GENERATION: 'true' }), { limits });
  const { ctx, api } = service;
  useFixture(() => startWorkers(ctx, { queues: ['ingestion', 'arrivals', 'transcoding-status'] }));
  const user = fixtureEach(() => registerUser(api));
  const play = async (progressId: string): Promise<string> => {
    const { status, body } = await api.call('POST', `/api/progressbar/${progressId}/play`, { token: user.token });
    expect(status).to.equal(200);
    return body.streamer as string;
  };
  return {
    ...{ ctx, api, user, play },
    async begin(bytes, owner = user) {
      const upload = await openTus(api, owner, bytes.length);
      const part = Math.round(bytes.length * 0.6);
      expect((await upload.patch(0, bytes.subarray(0, part))).status).to.equal(204);
      return { upload, id: upload.url.split('/').at(-1) ?? '', part };
    },
    untilPlaying: (progressId) =>
      eventually(
        async () => {
          const streamer = await play(progressId);
          expect(streamer).not.to.equal('');
          return streamer;
        },
        { timeoutMs: 30_000 },
      ),
    untilReady: (boxId) =>
      eventually(
        async () => {
          const item = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
          const content = await ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
          expect(content).to.include({ state: 'READY', arrival: null });
          return content;
        },
        { timeoutMs: 60_000 },
      ),
  };
}

/** The event playlist in progress of a master playlist, with the bytes of its segments. */
async function watched(api: TestApi, streamer: string): Promise<{ list: string; segments: Buffer[] }> {
  const textAt = async (url: string): Promise<string> => (await fetch(url)).text();
  const master = new URL(new URL(streamer).pathname, api.url).href;
  const listUrl = new URL(linesOf(await textAt(master)).at(-1) ?? '', master).href;
  const list = await textAt(listUrl);
  const segments = await Promise.all(
    linesOf(list).map(async (uri) => Buffer.from(await (await fetch(new URL(uri, listUrl))).arrayBuffer())),
  );
  return { list, segments };
}

/** Every file of the first generation by name, without attempt numbers: a busy machine may need a second attempt. */
async function filesOf(ctx: TestContext, content: Content): Promise<(readonly [string, string])[]> {
  const folder = generationFolder(content, 1);
  const withoutAttempts = (text: string): string => text.replaceAll(/-a\d+/g, '-a');
  const keys = (await storedKeys(ctx, folder)).filter((key) => !key.includes('growing'));
  return Promise.all(
    keys.toSorted().map(async (key) => {
      const file = await readStored(ctx, key);
      const compared = key.endsWith('.m3u8') ? Buffer.from(withoutAttempts(file.toString())) : file;
      return [withoutAttempts(key.slice(folder.length)), sha256(compared)] as const;
    }),
  );
}

function linesOf(playlist: string): string[] {
  return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

for (const { name: kind } of rowsOf(stores, ['disk']))
  describe(`a film that is processed during its upload, on ${kind}`, function () {
    this.timeout(120_000);
    const fixture = arrivalsFixture(kind);
    const { ctx, api, user } = fixture;
    let file: Buffer;
    before(async () => {
      file = await readFile(await longFilm());
    });
    const wholeFiles = async () => {
      const whole = await uploadForm(api, user, { file, fileName: 'whole.mp4' });
      return filesOf(ctx, await fixture.untilReady(whole.body.boxId as string));
    };

    it('plays its beginning only for its owner, is READY soon after its last byte, and equals a film processed after its upload', async () => {
      const { upload, id, part } = await fixture.begin(file);
      const master = await fixture.untilPlaying(id);
      const { list, segments } = await watched(api, master);
      expect(list).not.to.include('#EXT-X-ENDLIST');
      expect(segments.every(({ length }) => length > 10_000)).to.equal(true);
      const stranger = await registerUser(api);
      const refused = await api.call('POST', `/api/progressbar/${id}/play`, { token: stranger.token });
      expect(refused.status).to.equal(404);
      expect(await tracesOf(ctx, user)).to.include({ items: 0, originalBytes: 0, reservedUploads: 1 });
      expect((await usageOf(ctx, user.userId)).storedBytes).to.equal(0);
      const { body } = await api.call('POST', '/api/search/box/contents', {
        token: user.token,
        body: { pageSize: 10, pageIndex: 0 },
      });
      expect(body.totalCount).to.equal(0);

      const last = await upload.patch(part, file.subarray(part));
      const content = await fixture.untilReady(last.headers.get('Box-Id') ?? '');
      expect(content).to.include({ readyGeneration: 1, readyAttempt: 1, sourceBytes: file.length });
      const ended = await watched(api, master);
      expect(ended.list).to.include('#EXT-X-ENDLIST');
      expect(ended.segments.length).to.be.above(segments.length);
      expect(await filesOf(ctx, content)).to.deep.equal(await wholeFiles());
    });

    it('is processed during a form upload, even if fields follow the file', async () => {
      const { boundary, body } = handmadeForm([
        { name: 'file', fileName: 'film.mp4', value: file },
        { name: 'title', value: 'A form' },
      ]);
      const headers = {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': body.length,
        'X-Service-progressbarId': 'form-1',
      };
      const half = Math.round(body.length * 0.7);
      const response = await rawUpload(api, user, headers, async (socket) => {
        socket.write(body.subarray(0, half));
        await fixture.untilPlaying('form-1');
        socket.write(body.subarray(half));
      });
      expect(response?.status).to.equal(201);
      const content = await fixture.untilReady(response?.body.boxId as string);
      expect(content).to.include({ readyAttempt: 1, sourceName: 'film.mp4', sourceBytes: file.length });
      expect(await storedRows(ctx, ArrivingUpload, { userId: user.userId })).to.deep.equal([]);
      expect(await filesOf(ctx, content)).to.deep.equal(await wholeFiles());
    });

    it('leaves nothing behind if it is aborted', async () => {
      const { upload, id } = await fixture.begin(file);
      await fixture.untilPlaying(id);
      const [row] = await storedRows(ctx, ArrivingUpload, { id });
      const contentId = row?.contentId ?? '';
      const keysOf = async (): Promise<string[]> => {
        const content = await ctx.db.model(Content).findByPk(contentId);
        return content ? storedKeys(ctx, `content/${content.folder}`) : [];
      };
      expect((await keysOf()).length).to.be.above(3);
      expect((await tusFetch(api, user, upload.url, { method: 'DELETE' })).status).to.equal(204);
      await eventually(
        async () => {
          expect(await ctx.db.model(Content).findByPk(contentId)).to.equal(null);
          const { files: _others, ...traces } = (await tracesOf(ctx, user)) as { files: number };
          const { files: _none, ...none } = noTraces;
          expect(traces).to.deep.equal(none);
        },
        { timeoutMs: 30_000 },
      );
      expect((await usageOf(ctx, user.userId)).storedBytes).to.equal(0);
    });
  });

for (const { name: kind } of rowsOf(stores, ['S3']))
  describe(`a film whose index grows, on ${kind}`, function () {
    this.timeout(120_000);
    const fixture = arrivalsFixture(kind);
    const { ctx, api, user } = fixture;

    for (const { name: container } of rowsOf(growing, ['ts']))
      it(`is processed during its upload and equals a film processed afterwards: ${container}`, async () => {
        const file = await readFile(await longFilm({ container }));
        const { upload, id, part } = await fixture.begin(file);
        const master = await fixture.untilPlaying(id);
        const { list, segments } = await watched(api, master);
        expect(list).not.to.include('#EXT-X-ENDLIST');
        expect(segments.every(({ length }) => length > 10_000)).to.equal(true);
        const last = await upload.patch(part, file.subarray(part));
        const content = await fixture.untilReady(last.headers.get('Box-Id') ?? '');
        expect(content).to.include({ readyGeneration: 1, readyAttempt: 1, sourceBytes: file.length });
        const whole = await uploadForm(api, user, { file, fileName: 'whole' });
        const other = await fixture.untilReady(whole.body.boxId as string);
        expect(await filesOf(ctx, content)).to.deep.equal(await filesOf(ctx, other));
        expect(other.durationMs).to.equal(content.durationMs);
      });
  });

describe('a film whose upload stops', function () {
  this.timeout(120_000);
  const fixture = arrivalsFixture('disk', [[slowArrivalSeconds, 1]]);
  const { ctx, user } = fixture;

  it('is processed again during the upload when it continues', async () => {
    const file = await readFile(await longFilm());
    const { upload, part } = await fixture.begin(file);
    await eventually(async () => {
      const [row] = await storedRows(ctx, Content, { ownerId: user.userId });
      expect(row).to.include({ arrival: 'FOLLOWED', leaseOwner: null, attempt: 1, returns: 1 });
    });
    const last = await upload.patch(part, file.subarray(part));
    const content = await fixture.untilReady(last.headers.get('Box-Id') ?? '');
    expect(content.readyAttempt).to.equal(2);
  });

  it('is not processed during the upload if its index is at the end', async () => {
    const file = await readFile(await longFilm({ isIndexAtEnd: true }));
    const { upload, id, part } = await fixture.begin(file);
    await eventually(async () => {
      const [row] = await storedRows(ctx, Content, { ownerId: user.userId });
      expect(row).to.include({ arrival: 'AWAITED', leaseOwner: null });
    });
    expect(await fixture.play(id)).to.equal('');
    const last = await upload.patch(part, file.subarray(part));
    await fixture.untilReady(last.headers.get('Box-Id') ?? '');
  });
});

describe('a film that is uploaded during slow uploads of another user', function () {
  this.timeout(120_000);
  const fixture = arrivalsFixture('disk', [[followSliceSeconds, 0.5]]);
  const { ctx, api } = fixture;

  it('takes a worker slot from them, and the interrupted uploads are processed when they are complete', async () => {
    const file = await readFile(await longFilm());
    const slow = await registerUser(api);
    const uploads = [];
    for (let count = 0; count < 4; count += 1) uploads.push(await fixture.begin(file, slow));
    const followed = async (): Promise<Content[]> => storedRows(ctx, Content, { ownerId: slow.userId });
    await eventually(async () => {
      const running = (await followed()).filter(({ leaseOwner }) => leaseOwner !== null);
      expect(running).to.have.length(4);
    });
    const { upload, id, part } = await fixture.begin(file);
    await fixture.untilPlaying(id);
    const stopped = (await followed()).filter(({ arrival }) => arrival === 'AWAITED');
    expect(stopped.length).to.be.within(1, 3);
    expect(stopped[0]).to.include({ failureDetail: 'others wait', leaseOwner: null });
    const last = await upload.patch(part, file.subarray(part));
    expect((await fixture.untilReady(last.headers.get('Box-Id') ?? '')).readyAttempt).to.equal(1);
    const [first] = uploads;
    const end = await first?.upload.patch(first.part, file.subarray(first.part));
    await fixture.untilReady(end?.headers.get('Box-Id') ?? '');
  });
});
