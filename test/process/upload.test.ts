import { expect } from 'chai';
import { connect } from 'node:net';
import { registerUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openHouse, type TestHouse } from '../support/house.js';
import { sweepExpiredUploads } from '../../workers/sweeps/uploads.js';

describe('a web process killed in the middle of an upload', function () {
  this.timeout(60_000);
  let house: TestHouse;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.close());

  it('leaves no item, and after the sweep no file and no reserved quota', async () => {
    const web = await house.start('web');
    const user = await registerUser(house.api);
    const socket = beginUpload(new URL(house.api.url), user.token);
    await eventually(async () => expect(await reservedBytes()).to.be.above(0));
    await eventually(async () => expect(await temporaryAndStored()).to.be.above(0));
    await web.end('SIGKILL');
    socket.destroy();
    house.ctx.clock.advance(2 * 3_600_000);
    await sweepExpiredUploads({
      ctx: house.ctx,
      log: house.ctx.log,
      payload: {},
      signal: AbortSignal.timeout(30_000),
    } as never);
    expect(await reservedBytes()).to.equal(0);
    expect(await house.ctx.db.rows('SELECT id FROM box_items UNION SELECT id FROM contents')).to.deep.equal([]);
    const keys: string[] = [];
    for await (const file of house.ctx.storage.list('')) keys.push(file.key);
    expect(keys).to.deep.equal([]);
  });

  async function reservedBytes(): Promise<number> {
    const [row] = await house.ctx.db.rows<{ bytes: string | null }>('SELECT sum(reserved_bytes) AS bytes FROM quotas');
    return Number(row?.bytes ?? 0);
  }

  /** Bytes the upload has brought to disk so far, finished or not. */
  async function temporaryAndStored(): Promise<number> {
    const { readdir } = await import('node:fs/promises');
    return (await readdir(house.ctx.config.dataDir, { recursive: true })).length;
  }
});

/** Sends the head of an upload and some of its bytes, and then no more. */
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
