import { expect } from 'chai';
import { connect } from 'node:net';
import { registerUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openDeployment } from '../support/deployment.js';
import { handmadeForm, rawUpload } from '../support/uploads.js';
import { sweepUploadsHandler } from '../../workers/sweeps/sweepUploads.js';
import { useFixture } from '../support/fixtures.js';
import { Content } from '../../shared/content/content.model.js';
import { storedRows } from '../support/rows.js';

describe('a web process that ends in the middle of an upload', function () {
  this.timeout(60_000);
  const deployment = useFixture(openDeployment);

  it('leaves no item when it is killed, and after the sweep no file and no reserved quota', async () => {
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

  it('takes it to its end after SIGTERM, and cuts another one when SHUTDOWN_SECONDS are over', async () => {
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
    expect(cut.destroyed, 'the other upload goes on').to.equal(false);
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

  /** Bytes of the upload on disk so far, complete or not. */
  async function temporaryAndStored(): Promise<number> {
    const { readdir } = await import('node:fs/promises');
    return (await readdir(deployment.ctx.config.dataDir, { recursive: true })).length;
  }
});

/** Sends the headers of an upload and some of its bytes, and then no more. */
function beginUpload(url: URL, token: string): ReturnType<typeof connect> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  const boundary = 'edge';
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="a.mp4"',
    'Content-Type: video/mp4',
    '',
    '',
  ].join('\r\n');
  socket.write(
    [
      'POST /api/box HTTP/1.1',
      `Host: ${url.host}`,
      `Authorization: Bearer ${token}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      'Content-Length: 50000000',
      '',
      head,
    ].join('\r\n'),
  );
  socket.write(Buffer.alloc(1_000_000));
  return socket;
}
