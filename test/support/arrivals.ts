import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { quickArrivalSeconds } from '../../workers/ingestion/followContent.js';
import type { Tunable } from '../../shared/platform/tunable.js';
import { registerUser, type TestApi, type TestUser } from './api.js';
import { eventually } from './eventually.js';
import { useFixture, fixtureEach } from './fixtures.js';
import { longFilm, readStored, storedKeys } from './media.js';
import { storedRows } from './rows.js';
import type { TestContext } from './context.js';
import { serviceFixture, type SharedService } from './service.js';
import { testStores } from './stores.js';
import { sha256 } from './uploadKills.js';
import { openTus, tusFetch, type TusUpload } from './tus.js';
import { handmadeForm, noTraces, rawUpload, tracesOf, upload as uploadForm } from './uploads.js';
import { startWorkers } from './workers.js';

interface Arrivals extends SharedService {
  readonly user: TestUser;
  /** A new upload of which more than a half has arrived. */
  begin(
    bytes: Buffer,
    owner?: TestUser,
  ): Promise<{ readonly upload: TusUpload; readonly id: string; readonly part: number }>;
  /** The address where what is made of an upload plays; empty: not yet. */
  play(progressId: string): Promise<string>;
  untilPlaying(progressId: string): Promise<string>;
  untilReady(boxId: string): Promise<Content>;
}

export function arrivalsFixture(
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

/** The list of a growing master, with the bytes of its segments. */
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

/** By name, every file of the first generation, without the numbers of attempts: a busy machine may have made a second one. */
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

/** The tests of films whose index is at their beginning, on a store. */
export function describeArrivals(kind: keyof typeof testStores): void {
  describe(`a film that is processed while it arrives, on ${kind}`, function () {
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

    it('plays its beginning for its owner alone, is READY soon after its last byte, and is the same as a whole one', async () => {
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

    it('is followed as a form, also where its fields come behind the file', async () => {
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

    it('leaves nothing where it is broken off', async () => {
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
}

/** The tests of films that have no index at their beginning. */
export function describeGrowingIndexes(
  kind: keyof typeof testStores,
  containers: readonly ('mkv' | 'flv' | 'fragmented' | 'ts')[],
): void {
  describe(`a film whose index grows, on ${kind}`, function () {
    this.timeout(120_000);
    const fixture = arrivalsFixture(kind);
    const { ctx, api, user } = fixture;

    for (const container of containers)
      it(`is processed while it arrives, and is the same as a whole one: ${container}`, async () => {
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
}
