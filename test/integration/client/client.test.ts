import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ApiError,
  ContentFailedError,
  createVideoClient,
  dataOf,
  type Session,
  type VideoClientOptions,
} from '../../../client/index.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { AccessToken } from '../../../shared/oauth/oauth.model.js';
import { completeGeneration, failGeneration } from '../../../shared/content/generation.lifecycle.js';
import { Content } from '../../../shared/content/content.model.js';
import { registerUser, registration, type TestUser } from '../../support/api.js';
import { openCutLine } from '../../support/loopbackServer.js';
import { seedBoxItem, changeRow, storedRows, sha256, storedHash } from '../../support/rows.js';
import { useFixture, fixtureEach, serviceFixture } from '../../support/fixtures.js';
import { rejection } from '../../support/eventually.js';

describe('the client', function () {
  this.timeout(60_000);
  const { ctx, api } = serviceFixture();
  const user: TestUser = fixtureEach(() => registerUser(api));
  const password = String(registration()['password']);

  function newClient(options: Partial<VideoClientOptions> = {}) {
    const { id: clientId, secret: clientSecret } = ctx.config.oauth.clients[0];
    return createVideoClient({ baseUrl: api.url, clientId, clientSecret, ...options });
  }
  /** Counts token requests. */
  function counting() {
    const grants: string[] = [];
    const counted: typeof fetch = (input, init) => {
      if (init?.body instanceof URLSearchParams) grants.push(init.body.get('grant_type') ?? '');
      return fetch(input, init);
    };
    return { grants, fetch: counted };
  }
  const end = () => ctx.db.model(AccessToken).update({ expiresAt: new Date(0) }, { where: { userId: user.userId } });

  describe('and tokens', () => {
    it('logs in, and refreshes once for fifty concurrent calls', async () => {
      const { grants, fetch: counted } = counting();
      const sessions: (Session | null)[] = [];
      const video = newClient({ fetch: counted, onSession: (session) => sessions.push(session) });
      await video.logIn(user.userCode, password);
      await end();
      const answers = await Promise.all(Array.from({ length: 50 }, () => video.api.GET('/api/user/me')));
      for (const answer of answers) expect(dataOf(answer).userCode).to.equal(user.userCode);
      expect(grants).to.deep.equal(['password', 'refresh_token']);
      expect(sessions).to.have.length(2);
      const kept = newClient({ session: sessions[1] ?? null });
      expect(dataOf(await kept.api.GET('/api/user/me')).userCode).to.equal(user.userCode);
    });

    it('sends the body again after a refresh', async () => {
      const video = newClient();
      await video.logIn(user.userCode, password);
      await end();
      const body = { queryString: 'nothing', pageSize: 3, pageIndex: 0 };
      expect(dataOf(await video.api.POST('/api/search/box/contents', { body }))).to.deep.include({ pageSize: 3 });
    });

    it('ends the login if the refresh is rejected, and reports it', async () => {
      const sessions: (Session | null)[] = [];
      const dead = { accessToken: 'dead', refreshToken: 'dead' };
      const video = newClient({ session: dead, onSession: (session) => sessions.push(session) });
      const error = await rejection(video.api.GET('/api/user/me'));
      expect(error).to.be.instanceOf(ApiError).and.include({ status: 401 });
      expect(sessions).to.deep.equal([null]);
    });

    /** Delays the responses of one grant type until `release` is called. */
    function holding(grant: string) {
      const steps = new EventEmitter();
      const [asked, released] = [once(steps, 'asked'), once(steps, 'released')];
      const held: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (init?.body instanceof URLSearchParams && init.body.get('grant_type') === grant) {
          steps.emit('asked');
          await released;
        }
        return response;
      };
      return { fetch: held, asked, release: () => steps.emit('released') };
    }

    it('keeps a login when an earlier request for a public token completes', async () => {
      const { fetch: held, asked, release } = holding('client_credentials');
      const video = newClient({ fetch: held });
      const search = video.api.POST('/api/public/search/vod/contents', { body: { pageSize: 1, pageIndex: 0 } });
      await asked;
      await video.logIn(user.userCode, password);
      const session = video.session;
      release();
      dataOf(await search);
      expect(video.session).to.equal(session);
      expect(dataOf(await video.api.GET('/api/user/me')).userCode).to.equal(user.userCode);
    });

    it('stays logged out when an earlier refresh completes', async () => {
      const { fetch: held, asked, release } = holding('refresh_token');
      const video = newClient({ fetch: held });
      await video.logIn(user.userCode, password);
      await end();
      const call = video.api.GET('/api/user/me');
      await asked;
      video.logOut();
      release();
      await call;
      expect(video.session).to.equal(null);
    });

    it('uses a public token before a login', async () => {
      const { grants, fetch: counted } = counting();
      const video = newClient({ fetch: counted });
      const search = { body: { pageSize: 1, pageIndex: 0 } };
      dataOf(await video.api.POST('/api/public/search/vod/contents', search));
      const refused = await video.api.GET('/api/user/me');
      expect(refused.response.status).to.equal(403);
      expect(grants).to.deep.equal(['client_credentials']);
    });

    it('throws for a wrong password, and returns errors in the chosen language', async () => {
      const wrong = await rejection(newClient().logIn(user.userCode, 'wrong'));
      expect(wrong).to.be.instanceOf(ApiError).and.include({ status: 400, exception: 'invalid_grant' });
      const video = newClient({ language: 'it' });
      await video.logIn(user.userCode, password);
      const path = { boxId: '8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11' };
      const missing = await video.api.GET('/api/box/{boxId}', { params: { path } });
      const header = { 'Accept-Language': 'fr' };
      const inFrench = await video.api.GET('/api/box/{boxId}', { params: { path, header } });
      expect(inFrench.error)
        .to.have.property('message')
        .that.matches(/\bn’|\bpas\b/);
      const error = await rejection((async () => dataOf(missing))());
      expect(error).to.be.instanceOf(ApiError).and.include({ status: 404, exception: 'NotFoundException' });
      expect(error.message).to.match(/\bnon\b/);
    });
  });

  describe('and uploads', () => {
    const line = useFixture(() => openCutLine(api.url));
    const bytes = randomBytes(20 * 1024 ** 2 + 77);
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'client-'));
      await writeFile(join(folder, 'film.mp4'), bytes);
    });
    after(() => rm(folder, { recursive: true }));

    it('sends a file, and continues after a broken connection', async () => {
      const video = newClient({ baseUrl: line.url });
      await video.logIn(user.userCode, password);
      const sent: number[] = [];
      line.cutAfter(11 * 1024 ** 2);
      const file = await openAsBlob(join(folder, 'film.mp4'));
      const fields = { title: 'Il fiume è qui', tags: ['water', 'blue'], fileName: 'fiume.mp4' };
      const boxId = await video.upload(file, fields, { onProgress: ({ sentBytes }) => sent.push(sentBytes) });
      expect(line.cuts).to.equal(1);
      expect(await storedHash(ctx, boxId)).to.equal(sha256(bytes));
      expect(sent.at(-1)).to.equal(bytes.length);
      expect(sent).to.deep.equal(sent.toSorted((one, other) => one - other));
      const [item] = await storedRows(ctx, BoxItem, { id: boxId });
      expect(item).to.deep.include({ title: 'Il fiume è qui', tags: ['water', 'blue'] });
    });

    it('continues an upload in another client by its URL', async () => {
      const video = newClient({ baseUrl: line.url });
      await video.logIn(user.userCode, password);
      const stop = new AbortController();
      let address = '';
      const leaving = {
        signal: stop.signal,
        onAddress: (begun: string) => (address = begun),
        onProgress: ({ sentBytes }: { sentBytes: number }) => sentBytes > 0 && stop.abort(new Error('left')),
      };
      const first = video.upload(new Blob([bytes]), { title: 'Two parts' }, leaving);
      expect((await rejection(first)).message).to.equal('left');
      const sent: number[] = [];
      const options = { address, onProgress: ({ sentBytes }: { sentBytes: number }) => sent.push(sentBytes) };
      const other = newClient({ session: video.session });
      const boxId = await other.upload(new Blob([bytes]), { title: 'Two parts' }, options);
      expect(sent[0]).to.be.greaterThan(0);
      expect(await storedHash(ctx, boxId)).to.equal(sha256(bytes));
    });

    it('reports why the service rejects an upload', async () => {
      const video = newClient();
      await video.logIn(user.userCode, password);
      const refused = await rejection(video.upload(new Blob(['x']), { title: '' }));
      expect(refused).to.be.instanceOf(ApiError).and.include({ status: 400, exception: 'ValidationException' });
    });
  });

  describe('and processing', () => {
    it('follows an item until it plays, is complete, or has failed', async () => {
      const video = newClient();
      await video.logIn(user.userCode, password);
      const seed = async () => {
        const seeded = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
        await changeRow(ctx, Content, seeded.contentId, { generation: 1, quick: true });
        return seeded;
      };
      const { boxId, contentId } = await seed();
      const states: string[] = [];
      const ready = video.untilReady(boxId, { onProgress: ({ status }) => states.push(status) });
      const complete = video.untilReady(boxId, { until: 'COMPLETE' });
      const make = (generation: number) =>
        ctx.db.transaction((tx) => completeGeneration(ctx, tx, { contentId, generation }, 1000));
      expect(await make(1)).to.equal(true);
      expect(await ready).to.include({ boxId, status: 'READY', preparing: 0 });
      expect(states.at(-1)).to.equal('READY');
      expect(await make(2)).to.equal(true);
      expect(await complete).not.to.have.property('preparing');

      const other = await seed();
      const failing = rejection(video.untilReady(other.boxId));
      await changeRow(ctx, Content, other.contentId, { quick: false });
      const failure = { key: 'content.failure.unreadable', detail: '' };
      const failed = { contentId: other.contentId, generation: 1 };
      await ctx.db.transaction((tx) => failGeneration(ctx, tx, failed, failure));
      expect(await failing)
        .to.be.instanceOf(ContentFailedError)
        .with.property('message').that.is.not.empty;
      const unknown = await rejection(video.untilReady('8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11'));
      expect(unknown).to.be.instanceOf(ApiError).and.include({ status: 404 });
    });
  });
});
