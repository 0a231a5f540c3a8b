import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createVideoClient } from '../../client/index.js';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { registerUser } from '../support/api.js';
import { recoveryMs } from './crashUpload.js';
import { openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { listedFiles, longFilm } from '../support/media.js';
import { storedRows, sha256, storedHash } from '../support/rows.js';
import { rowsOf } from '../support/requirements.js';
import { openTus } from '../support/tus.js';
import { startLoopbackServer, sendPaced } from '../support/loopbackServer.js';

const settings = {
  QUICK_GENERATION: 'true',
  WORKER_LOCK_SECONDS: '3',
  WORKER_QUEUES: 'ingestion,transcoding-status,sweeps',
};

for (const { name: container } of rowsOf([{ name: 'mp4' }, { name: 'mkv' }] as const, ['mp4']))
  describe(`a film that is uploaded while its processes are killed: ${container}`, function () {
    this.timeout(2 * recoveryMs);
    const deployment = useFixture(() => openDeployment(settings));

    it('becomes READY once, complete, from the last attempt', async () => {
      const { ctx, api } = deployment;
      let web = await deployment.start('web');
      let worker = await deployment.start('worker');
      const user = await registerUser(api);
      const file = await readFile(await longFilm({ container }));
      const upload = await openTus(api, user, file.length);
      const contentOf = async (): Promise<Content> => {
        const [row] = await storedRows(ctx, ArrivingUpload, { userId: user.userId });
        return ctx.db.model(Content).findByPk(row?.contentId ?? '', { rejectOnEmpty: true });
      };
      const untilGrowing = (attempt: number): Promise<void> =>
        eventually(
          async () => {
            const content = await contentOf();
            expect(content.growing).to.equal(true);
            expect(content.attempt).to.be.at.least(attempt);
          },
          { timeoutMs: recoveryMs / 2 },
        );

      const third = Math.round(file.length / 3);
      await upload.patch(0, file.subarray(0, third));
      await untilGrowing(1);
      await worker.end('SIGKILL');
      worker = await deployment.start('worker');
      await upload.patch(third, file.subarray(third, 2 * third));
      await untilGrowing(2);

      await web.end('SIGKILL');
      web = await deployment.start('web');
      const { offset } = await upload.head();
      expect(offset).to.equal(2 * third);
      expect(await storedRows(ctx, BoxItem)).to.deep.equal([]);
      const last = await upload.patch(offset, file.subarray(offset));
      const boxId = last.headers.get('Box-Id') ?? '';
      const ready = await eventually(
        async () => {
          const content = await contentOf();
          expect(content).to.include({ state: 'READY', arrival: null, readyGeneration: 1 });
          return content;
        },
        { timeoutMs: recoveryMs },
      );
      expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
      const list = `360p-a${ready.readyAttempt}.m3u8`;
      expect((await listedFiles(ctx, generationFolder(ready, 1), list)).segments.length).to.be.at.least(14);
      expect(await storedRows(ctx, Content)).to.have.lengthOf(1);
      await worker.end('SIGTERM');
    });
  });

describe('films that are received while PostgreSQL restarts', function () {
  this.timeout(2 * recoveryMs);
  const database = useFixture(startTestDatabase, (server) => server.stop());
  after(() => database.stop());
  let file: Buffer;
  const origin = useFixture(async () => {
    file = await readFile(await longFilm({ container: 'mkv' }));
    return openSlowOrigin(file, { heldAt: Math.round(file.length / 2) });
  });

  it('become READY and complete: a tus upload that its client resumes, and an import from a URL', async () => {
    const deployment = await openDeployment(
      { ...settings, OUTGOING_ALLOWED_NETWORKS: '127.0.0.1', LOG_LEVEL: 'error' },
      database.url,
    );
    try {
      const { ctx, api } = deployment;
      await deployment.start('web');
      await deployment.start('worker');
      const user = await registerUser(api);
      const imported = await api.call('POST', '/api/box/import', {
        token: user.token,
        body: { url: origin.url, title: 'Imported' },
      });
      expect(imported.status).to.equal(201);
      const upload = await openTus(api, user, file.length);
      await upload.patch(0, file.subarray(0, Math.round(file.length / 2)));
      const arriving = async (): Promise<Content[]> => storedRows(ctx, Content, { ownerId: user.userId });
      await eventually(
        async () => {
          const contents = await arriving();
          expect(contents.filter(({ growing, arrival }) => growing && arrival === 'FOLLOWED')).to.have.lengthOf(2);
        },
        { timeoutMs: recoveryMs / 2 },
      );
      await database.restart();
      origin.release();
      const { id: clientId, secret: clientSecret } = ctx.config.oauth.clients[0];
      const session = { accessToken: user.token, refreshToken: null };
      const video = createVideoClient({ baseUrl: api.url, clientId, clientSecret, session });
      const sent = await video.upload(new Blob([file]), { title: 'By tus' }, { address: upload.url });
      for (const boxId of [sent, String(imported.body.boxId)]) {
        expect(await video.untilReady(boxId)).to.include({ status: 'READY' });
        expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
      }
      expect(await arriving()).to.have.lengthOf(2);
      expect(await storedRows(ctx, ArrivingUpload, { finishedAt: null })).to.deep.equal([]);
    } finally {
      await deployment.close();
    }
  });
});

const importedFile = randomBytes(12 * 1024 ** 2 + 5);

describe('a worker that is killed while it imports a file', function () {
  this.timeout(2 * recoveryMs);
  const deployment = useFixture(() =>
    openDeployment({
      OUTGOING_ALLOWED_NETWORKS: '127.0.0.1',
      WORKER_LOCK_SECONDS: '3',
      WORKER_QUEUES: 'ingestion,sweeps',
    }),
  );
  const origin = useFixture(() => openSlowOrigin(importedFile));

  it('leaves the received bytes, and the next worker fetches the remaining ones', async () => {
    const { ctx, api } = deployment;
    await deployment.start('web');
    const worker = await deployment.start('worker');
    const user = await registerUser(api);
    const { status, body } = await api.call('POST', '/api/box/import', {
      token: user.token,
      body: { url: origin.url, title: 'Imported' },
    });
    expect(status).to.equal(201);
    const received = await eventually(
      async () => {
        const [row] = await storedRows(ctx, ArrivingUpload);
        expect(row?.receivedBytes).to.be.above(2 * 1024 ** 2);
        return row?.receivedBytes ?? 0;
      },
      { timeoutMs: 30_000 },
    );
    await worker.end('SIGKILL');
    await deployment.start('worker');
    await eventually(
      async () => {
        const [content] = await storedRows(ctx, Content);
        expect(content).to.include({ arrival: null, sourceBytes: importedFile.length });
      },
      { timeoutMs: recoveryMs },
    );
    expect(origin.starts).to.have.lengthOf(2);
    expect(origin.starts[1]).to.be.at.least(received);
    expect(await storedHash(ctx, body.boxId as string)).to.equal(sha256(importedFile));
  });
});

/** Serves a megabyte of a file every 200 ms, at most `heldAt` bytes until `release`, and records the start of each request. */
async function openSlowOrigin(file: Buffer, { heldAt = file.length }: { heldAt?: number } = {}) {
  const starts: number[] = [];
  let end = heldAt;
  const pace = { bytes: 1024 ** 2, everyMs: 200, end: () => end };
  const server = await startLoopbackServer((...exchange) => void starts.push(sendPaced(...exchange, file, pace)));
  return {
    url: `${server.url}/film.mp4`,
    starts,
    release() {
      end = file.length;
    },
    close: () => server.close(),
  };
}
