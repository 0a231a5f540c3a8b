import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Content } from '../../../shared/content/content.model.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture, fixtureEach, serviceFixture } from '../../support/fixtures.js';
import { ArrivingUpload } from '../../../shared/upload/upload.model.js';
import { requeueImports } from '../../../shared/upload/importQueue.service.js';
import { OutboxJob } from '../../../shared/platform/queue/index.js';
import { User } from '../../../shared/user/user.model.js';
import { fastImportBytesPerSecond, importSliceSeconds } from '../../../workers/imports/importFile.js';
import { startLoopbackServer, sendPaced } from '../../support/loopbackServer.js';
import { freePort } from '../../support/deployment.js';
import { storedRows, sha256, storedHash } from '../../support/rows.js';
import { settledImport, tracesOf } from '../../support/uploads.js';
import { startWorkers } from '../../support/workers.js';

const file = randomBytes(3 * 1024 ** 2 + 77);
const etag = '"one"';

/** Serves the file in ranges. The next `times` responses after `cut(times)` end early. */
async function openOrigin() {
  let cuts = 0;
  let requests = 0;
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    requests += 1;
    const { pathname } = new URL(request.url ?? '', 'http://origin');
    if (pathname === '/moved') return void response.writeHead(302, { Location: '/sea%20film.mp4' }).end();
    if (pathname === '/trickle.mp4') return drip(response, { size: file.length, bytes: 1_000 });
    // Takes longer than any test; the storage of one user is enough for five such files.
    if (pathname === '/drip.mp4') return drip(response, { size: file.length * 50, bytes: 100_000 });
    if (pathname === '/chunked.mp4') {
      response.write(file.subarray(0, 1_000_000));
      return void response.end(file.subarray(1_000_000));
    }
    if (pathname === '/slow.mp4') return void sendPaced(request, response, slowFile, { bytes: 2_000, everyMs: 50 });
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const start = Number(range ?? 0);
    const changed = pathname === '/changing.mp4' && start > 0 ? { ETag: '"two"' } : { ETag: etag };
    response.writeHead(range ? 206 : 200, {
      ...changed,
      'Content-Length': file.length - start,
      ...(range ? { 'Content-Range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
    });
    if (pathname === '/late.mp4' && cuts > 0) {
      cuts -= 1;
      response.flushHeaders();
      return void setTimeout(() => response.destroy(), 20);
    }
    if (cuts === 0) return void response.end(file.subarray(start));
    cuts -= 1;
    response.write(file.subarray(start, start + 1_000_000), () => setTimeout(() => response.destroy(), 20));
  };
  return {
    ...(await startLoopbackServer(respond)),
    cut: (times: number) => void (cuts = times),
    requests: () => requests,
  };
}

/** Sends some bytes every 50 ms, without ranges. */
function drip(response: ServerResponse, { size, bytes }: { readonly size: number; readonly bytes: number }): void {
  response.writeHead(200, { 'Content-Length': size });
  const timer = setInterval(() => response.write(file.subarray(0, bytes)), 50);
  response.once('close', () => clearInterval(timer));
}

const slowFile = randomBytes(120_000);

/** Far longer than a time slice takes on a busy machine. */
const timeoutMs = 30_000;

describe('an import from a URL', function () {
  this.timeout(60_000);
  const { ctx, api } = serviceFixture(
    { OUTGOING_ALLOWED_NETWORKS: '127.0.0.1' },
    { limits: [[importSliceSeconds, 0.3]] },
  );
  useFixture(() => startWorkers(ctx, { queues: ['imports'] }));
  const origin = useFixture(openOrigin);
  const user: TestUser = fixtureEach(() => registerUser(api));

  const begin = async (url: string, more: object = {}) =>
    api.call('POST', '/api/box/import', { token: user.token, body: { url, title: 'Imported', ...more } });
  const settled = (boxId: string): Promise<Content> => settledImport(ctx, boxId);

  const own = () => storedRows(ctx, ArrivingUpload, { userId: user.userId });
  const arriving = () => eventually(async () => expect((await own())[0]?.receivedBytes).to.be.above(0), { timeoutMs });

  it('creates a box item at once, then receives its file with name, size and quota', async () => {
    const { status, body } = await begin(`${origin.url}/moved`, { tags: ['sea'], description: 'By the sea' });
    expect(status).to.equal(201);
    expect(body).to.deep.include({ title: 'Imported', status: 'PENDING', tags: ['sea'], description: 'By the sea' });
    const content = await settled(body.boxId as string);
    expect(content).to.include({ state: 'PENDING', sourceName: 'sea film.mp4', sourceBytes: file.length });
    expect(await storedHash(ctx, body.boxId as string)).to.equal(sha256(file));
    expect(await tracesOf(ctx, user)).to.include({ items: 1, reservations: 0, originalBytes: file.length });
    const progress = await api.call('GET', `/api/progressbar/${body.boxId}`, { token: user.token });
    expect(progress.body).to.deep.equal({ value: 100 });
  });

  it('continues after a broken connection', async () => {
    origin.cut(2);
    const before = origin.requests();
    const { body } = await begin(`${origin.url}/film.mp4`);
    await settled(body.boxId as string);
    expect(origin.requests() - before).to.equal(3);
    expect(await storedHash(ctx, body.boxId as string)).to.equal(sha256(file));
  });

  it('reserves its storage once, also if a request has received no bytes', async () => {
    origin.cut(3);
    const { body } = await begin(`${origin.url}/late.mp4`);
    await eventually(async () =>
      expect(await tracesOf(ctx, user)).to.include({ reservedBytes: file.length, reservedUploads: 1 }),
    );
    const reserved = new Set<number>();
    await eventually(
      async () => {
        const { reservedBytes } = (await tracesOf(ctx, user)) as { reservedBytes: number };
        reserved.add(reservedBytes);
        expect(reservedBytes).to.equal(0);
      },
      { timeoutMs: 20_000 },
    );
    expect([...reserved]).to.have.members([file.length, 0]);
    expect(await settled(body.boxId as string)).to.include({ sourceBytes: file.length });
  });

  it('needs no declared length', async () => {
    const { body } = await begin(`${origin.url}/chunked.mp4`);
    expect(await settled(body.boxId as string)).to.include({ state: 'PENDING', sourceBytes: file.length });
    expect(await tracesOf(ctx, user)).to.include({ reservations: 0, reservedBytes: 0, originalBytes: file.length });
  });

  it('ends when its item is deleted, and releases everything', async () => {
    const { body } = await begin(`${origin.url}/drip.mp4`);
    await arriving();
    expect((await api.call('DELETE', `/api/box/${body.boxId}`, { token: user.token })).status).to.equal(204);
    await eventually(
      async () => expect(await tracesOf(ctx, user)).to.include({ items: 0, reservations: 0, reservedBytes: 0 }),
      { timeoutMs: 20_000 },
    );
  });

  it('fails with a reason when its owner is disabled, and leaves only its item', async () => {
    const { body } = await begin(`${origin.url}/drip.mp4`);
    await arriving();
    await ctx.db.model(User).update({ state: 'DISABLED' }, { where: { id: user.userId } });
    const content = await settled(body.boxId as string);
    expect([content.state, content.failureKey]).to.deep.equal(['FAILED', 'content.failure.importDisabled']);
    await eventually(async () =>
      expect(await tracesOf(ctx, user)).to.include({ items: 1, reservations: 0, reservedBytes: 0 }),
    );
  });

  it('is accepted five times per user, also in concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => begin(`${origin.url}/drip.mp4`)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).to.have.members([...Array(5).fill(201), ...Array(35).fill(409)]);
    expect(await tracesOf(ctx, user)).to.include({ items: 5, reservations: 5, reservedUploads: 5 });
    for (const { status, body } of responses)
      if (status === 201) await api.call('DELETE', `/api/box/${body.boxId}`, { token: user.token });
    await eventually(async () => expect(await tracesOf(ctx, user)).to.include({ reservations: 0 }), {
      timeoutMs: 20_000,
    });
  });

  it('occupies no worker slot while it waits for an unreachable server', async () => {
    const { body } = await begin(`http://127.0.0.1:${await freePort()}/film.mp4`);
    await eventually(async () => {
      const [row] = await own();
      expect(row?.failures).to.be.at.least(2);
      expect(row?.leaseOwner).to.equal(null);
    });
    const queue = ctx.queues.all().find(({ name }) => name === 'imports');
    // The row is released before its next job is in the queue.
    await eventually(async () =>
      expect(await queue?.getJobCounts('active', 'delayed')).to.deep.equal({ active: 0, delayed: 1 }),
    );
    await requeueImports(ctx, 100);
    expect(await storedRows(ctx, OutboxJob, { queue: 'imports' })).to.deep.equal([]);
    await api.call('DELETE', `/api/box/${body.boxId}`, { token: user.token });
  });

  describe('with fifteen slow imports of three other users', () => {
    const importSlowly = async (path: string): Promise<{ owner: TestUser; boxIds: string[] }[]> => {
      const owners = await Promise.all([0, 1, 2].map(() => registerUser(api)));
      const body = { url: origin.url + path, title: 'Slow' };
      return Promise.all(
        owners.map(async (owner) => {
          const request = { token: owner.token, body };
          const items = await Promise.all([1, 2, 3, 4, 5].map(() => api.call('POST', '/api/box/import', request)));
          return { owner, boxIds: items.map((item) => item.body.boxId as string) };
        }),
      );
    };
    const unfinished = async (slow: { owner: TestUser }[]): Promise<ArrivingUpload[]> =>
      (await Promise.all(slow.map(({ owner }) => storedRows(ctx, ArrivingUpload, { userId: owner.userId })))).flat();

    it('gets a worker slot after a time slice, and the slow imports continue with their received bytes', async () => {
      const slow = await importSlowly('/slow.mp4');
      await eventually(async () => {
        const running = (await unfinished(slow)).filter(({ leaseOwner }) => leaseOwner !== null);
        expect(running).to.have.length(12);
      });
      const { body } = await begin(`${origin.url}/film.mp4`);
      expect(await settled(body.boxId as string)).to.include({ state: 'PENDING', sourceBytes: file.length });
      const rows = await unfinished(slow);
      expect(rows).to.have.length(15);
      const hash = sha256(slowFile);
      for (const boxId of slow.flatMap(({ boxIds }) => boxIds)) {
        expect(await settled(boxId)).to.include({ sourceBytes: slowFile.length });
        expect(await storedHash(ctx, boxId)).to.equal(hash);
      }
    });

    async function removeAll(begun: Awaited<ReturnType<typeof importSlowly>>): Promise<void> {
      for (const { owner, boxIds } of begun)
        for (const boxId of boxIds) await api.call('DELETE', `/api/box/${boxId}`, { token: owner.token });
    }

    it('gets a worker slot while fast imports that cannot resume occupy half of the slots', async () => {
      // Every import counts as fast, however busy the machine is.
      ctx.limits.set(fastImportBytesPerSecond, 0);
      const fast = await importSlowly('/drip.mp4');
      const running = async () => (await unfinished(fast)).filter(({ receivedBytes }) => receivedBytes > 0);
      const counts = async () => {
        const waiting = (await unfinished(fast)).filter((row) => row.receivedBytes === 0 && row.resumable === false);
        return [(await running()).length, waiting.length];
      };
      await eventually(async () => expect(await counts()).to.deep.equal([6, 9]), { timeoutMs });
      const { body } = await begin(`${origin.url}/film.mp4`);
      expect(await settled(body.boxId as string)).to.include({ state: 'PENDING', sourceBytes: file.length });
      expect(await counts()).to.deep.equal([6, 9]);
      await begin(`${origin.url}/drip.mp4`);
      await eventually(async () => expect((await own())[0]?.resumable).to.equal(false));
      const [ended] = await running();
      const { token = '' } = fast.find(({ owner }) => owner.userId === ended?.userId)?.owner ?? {};
      await api.call('DELETE', `/api/box/${ended?.boxId}`, { token });
      await arriving();
      expect(await counts()).to.deep.equal([5, 9]);
      await api.call('DELETE', `/api/box/${(await own())[0]?.boxId}`, { token: user.token });
      await removeAll(fast);
      ctx.limits.set(fastImportBytesPerSecond, fastImportBytesPerSecond.usual);
    });

    it('gets a worker slot from slow imports that cannot resume, which fail', async () => {
      const slow = await importSlowly('/trickle.mp4');
      const { body } = await begin(`${origin.url}/film.mp4`);
      expect(await settled(body.boxId as string)).to.include({ sourceBytes: file.length });
      const failures = await eventually(
        async () => {
          const contents = await Promise.all(
            slow.map(({ owner }) => storedRows(ctx, Content, { ownerId: owner.userId })),
          );
          const failed = contents.flat().flatMap(({ failureKey }) => failureKey ?? []);
          expect(failed.length).to.be.above(0);
          return failed;
        },
        { timeoutMs },
      );
      expect(new Set(failures)).to.deep.equal(new Set(['content.failure.importBroken']));
      await removeAll(slow);
    });
  });

  it('fails if the file changes meanwhile', async () => {
    origin.cut(1);
    const { body } = await begin(`${origin.url}/changing.mp4`);
    expect((await settled(body.boxId as string)).failureKey).to.equal('content.failure.importChanged');
  });
});
