import { expect } from 'chai';
import { randomBytes, randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { Content } from '../../shared/content/content.model.js';
import { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { sweepUploadsHandler } from '../../workers/sweeps/sweepUploads.js';
import { apiAt, registerUser } from '../support/api.js';
import { openDeployment, type BuiltProcess, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { storedRows, sha256, storedHash } from '../support/rows.js';
import { testStores } from '../support/stores.js';
import { rowsOf } from '../support/requirements.js';
import { type TusUpload, openTus, tusAt } from '../support/tus.js';
import { handmadeForm, rawUpload } from '../support/uploads.js';

describe('a web process that ends during an upload', function () {
  this.timeout(60_000);
  const deployment = useFixture(openDeployment);

  it('leaves no item if it is killed, and no file or reserved quota after the sweep', async () => {
    const web = await deployment.start('web');
    const user = await registerUser(deployment.api);
    const socket = beginUpload(new URL(deployment.api.url), user.token);
    await eventually(async () => expect(await reservedBytes()).to.be.above(0));
    await eventually(async () => expect(await temporaryAndStored()).to.be.above(0));
    await web.end('SIGKILL');
    socket.destroy();
    deployment.ctx.clock.advance(2 * 3_600_000);
    await sweepUploadsHandler({
      ctx: deployment.ctx,
      log: deployment.ctx.log,
      payload: {},
      signal: AbortSignal.timeout(30_000),
    } as never);
    expect(await reservedBytes()).to.equal(0);
    expect(await storedRows(deployment.ctx, Content)).to.deep.equal([]);
    const keys: string[] = [];
    for await (const file of deployment.ctx.storage.list('')) keys.push(file.key);
    expect(keys).to.deep.equal([]);
  });

  it('completes it after SIGTERM and aborts another upload after SHUTDOWN_SECONDS', async () => {
    const web = await deployment.start('web', { DRAIN_SECONDS: '1', SHUTDOWN_SECONDS: '3' });
    const { api } = deployment;
    const user = await registerUser(api);
    const cut = beginUpload(new URL(api.url), user.token);
    const { boundary, body } = handmadeForm([
      { name: 'title', value: 'A video' },
      { name: 'file', fileName: 'a.mp4', value: Buffer.alloc(1_000_000, 7) },
    ]);
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': body.length };
    let ended: ReturnType<typeof web.end> | undefined;
    const response = await rawUpload(api, user, headers, async (socket) => {
      socket.write(body.subarray(0, 500_000));
      await eventually(async () => expect(await reservedBytes()).to.be.above(1_000_000));
      ended = web.end('SIGTERM');
      await eventually(async () => expect(await readiness()).to.deep.equal([503, 'stopping']));
      await eventually(async () => expect(await readiness().catch(() => 'closed')).to.equal('closed'));
      socket.write(body.subarray(500_000));
    });
    expect(response?.status, web.output()).to.equal(201);
    expect(cut.destroyed, 'the other upload continues').to.equal(false);
    expect(await ended).to.equal(0);
    await eventually(() => expect(cut.destroyed).to.equal(true));
  });

  async function readiness(): Promise<[number, string]> {
    const { status, body } = await deployment.api.call('GET', '/readyz', { headers: { connection: 'close' } });
    return [status, body.status];
  }

  async function reservedBytes(): Promise<number> {
    const [row] = await deployment.ctx.db.rows<{ bytes: string | null }>(
      'SELECT sum(reserved_bytes) AS bytes FROM quotas',
    );
    return Number(row?.bytes ?? 0);
  }

  /** The current bytes of the upload on disk, complete or partial. */
  async function temporaryAndStored(): Promise<number> {
    const { readdir } = await import('node:fs/promises');
    return (await readdir(deployment.ctx.config.dataDir, { recursive: true })).length;
  }
});

/** Sends the headers and some bytes of an upload, and then pauses. */
function beginUpload(url: URL, token: string): ReturnType<typeof connect> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  const boundary = 'edge';
  const head = [
    ...[`--${boundary}`, 'Content-Disposition: form-data; name="file"; filename="a.mp4"'],
    ...['Content-Type: video/mp4', '', ''],
  ].join('\r\n');
  socket.write(
    [
      ...['POST /api/box HTTP/1.1', `Host: ${url.host}`, `Authorization: Bearer ${token}`],
      ...[`Content-Type: multipart/form-data; boundary=${boundary}`, 'Content-Length: 50000000', '', head],
    ].join('\r\n'),
  );
  socket.write(Buffer.alloc(1_000_000));
  return socket;
}

const megabyte = 1024 ** 2;
const table = [2, 20].flatMap((kills) =>
  (['disk', 'S3'] as const).map((store) => ({ name: `${kills} times, on ${store}`, store, kills })),
);

/** Of two web processes, the receiving one is killed at a random offset, `kills` times; the other one continues the upload. */
for (const { store: kind, kills } of rowsOf(table, ['2 times, on disk'])) {
  describe(`an upload whose web process is killed ${kills} times, on ${kind}`, function () {
    this.timeout(60_000 + kills * 20_000);
    const store = useFixture(() => testStores[kind]());
    const deployment = useFixture(() => openDeployment(store.env));

    it('is continued by another process and contains every byte once', async () => {
      const { ctx } = deployment;
      const ports = [Number(new URL(deployment.api.url).port), await freePort()];
      const start = (port = 0): Promise<BuiltProcess> => deployment.start('web', { PORT: String(port) });
      const processes = await Promise.all(ports.map((port) => start(port)));
      const apis = ports.map((port) => apiAt(ctx, `http://127.0.0.1:${port}`));
      const user = await registerUser(deployment.api);
      const file = randomBytes((kills + 1) * 21 * megabyte + 4_321);
      const { url } = await openTus(deployment.api, user, file.length);
      const at = (index: number): TusUpload => tusAt(apis[index % 2] ?? deployment.api, user, url);
      for (let kill = 0; kill < kills; kill += 1) {
        const { offset } = await at(kill).head();
        const sent = file.subarray(offset, offset + randomInt(17 * megabyte, 20 * megabyte));
        await cutByKill(at(kill), sent, offset, async () => {
          // Some bytes of this round are stored and some are in transit.
          await eventually(async () => {
            const [row] = await storedRows(ctx, ArrivingUpload);
            expect(row?.receivedBytes).to.be.within(offset + 1, offset + sent.length);
          });
          await processes[kill % 2]?.end('SIGKILL');
        });
        processes[kill % 2] = await start(ports[kill % 2]);
      }
      const { offset } = await at(kills).head();
      const last = await at(kills).patch(offset, file.subarray(offset));
      expect(last.status, await last.text()).to.equal(204);
      const boxId = last.headers.get('Box-Id') ?? '';
      expect((await at(kills + 1).head()).boxId).to.equal(boxId);
      expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
      expect(await storedRows(ctx, Content)).to.have.lengthOf(1);
      const keys: string[] = [];
      for await (const stored of ctx.storage.list('sources')) keys.push(stored.key);
      expect(keys).to.have.lengthOf(1);
    });
  });
}

/** Sends these bytes without an end and kills the process meanwhile. */
async function cutByKill(
  upload: TusUpload,
  bytes: Uint8Array,
  offset: number,
  kill: () => Promise<void>,
): Promise<void> {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === bytes.length) return new Promise(() => {});
      const next = bytes.subarray(sent, sent + 64 * 1024);
      sent += next.length;
      controller.enqueue(next);
      return undefined;
    },
  });
  const patch = upload.patch(offset, body).then(
    ({ status }) => status,
    () => null,
  );
  await kill();
  expect(await patch).to.equal(null);
}
