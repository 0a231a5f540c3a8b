import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { basic, publicToken, registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { holdConnection, type HeldConnection } from '../../support/rawRequest.js';
import { bodyTimeoutSeconds } from '../../../api/http/mount.js';
import { uploadSilenceSeconds } from '../../../api/http/copiedBody.js';
import { UploadReservation } from '../../../shared/license/license.model.js';
import { storedRows } from '../../support/rows.js';
import { openTus } from '../../support/tus.js';
import { upload } from '../../support/uploads.js';

describe('a request body that stalls', () => {
  const limits = [bodyTimeoutSeconds, uploadSilenceSeconds].map((limit) => [limit, 1] as const);
  const { ctx, api } = serviceFixture({}, { limits });
  const user = useFixture(() => registerUser(api));
  const held: HeldConnection[] = [];
  afterEach(() => {
    for (const connection of held.splice(0)) connection.destroy();
  });

  async function hold(
    path: string,
    headers: readonly string[] = [],
    body: string | Buffer = '{',
  ): Promise<HeldConnection> {
    const head = [
      path.includes(' ') ? `${path} HTTP/1.1` : `POST ${path} HTTP/1.1`,
      'Content-Length: 60000',
      ...headers,
    ];
    const connection = await holdConnection(api, head, body);
    held.push(connection);
    return connection;
  }

  it('returns 408 for JSON, a form and a webhook after the body timeout', async () => {
    const token = `Authorization: Bearer ${await publicToken(api)}`;
    const connections = await Promise.all([
      hold('/api/public/search/vod/contents', [token]),
      hold('/oauth/token', [`Authorization: ${basic(api)}`], 'grant_type='),
      hold('/webhooks/sandbox'),
      hold('/api/user/me', [`Authorization: Bearer ${user.token}`]),
    ]);
    const statuses = await Promise.all(connections.map((connection) => connection.closed()));
    expect(statuses).to.deep.equal([408, 408, 408, 408]);
    expect(connections[0]?.received())
      .to.match(/^connection: close\r$/im)
      .and.include('RequestTimeoutException');
  });

  it('returns 404 for an unknown provider and an unknown checkout before the body', async () => {
    for (const path of [
      '/webhooks/paypal',
      '/webhooks/none',
      '/sandbox/checkout/9b2d2a0e-3c5b-4f8e-9c39-1a4a4f6f9a10',
    ]) {
      const connection = await hold(path);
      await eventually(() => expect(connection.received()).to.match(/^HTTP\/1\.1 404 /), { timeoutMs: 800 });
    }
  });

  it('does not keep the connection open if the operation reads no body', async () => {
    const connection = await hold('GET /healthz');
    await eventually(() => expect(connection.received()).to.match(/^HTTP\/1\.1 200 /));
    expect(await connection.closed()).to.equal(200);
  });

  it('returns 429 above 50 open bodies from one address on paths without a token; other paths work', async () => {
    // The timeout ends none of them.
    ctx.limits.set(bodyTimeoutSeconds, 600);
    try {
      const connections = await Promise.all(Array.from({ length: 60 }, () => hold('/webhooks/sandbox')));
      const rejected = () => connections.filter((one) => one.received().startsWith('HTTP/1.1 429 '));
      await eventually(() => expect(rejected()).to.have.length(10));
      const search = await api.call('POST', '/api/public/search/vod/contents', {
        token: await publicToken(api),
        body: {},
      });
      expect(search.status).to.equal(200);
      expect(connections.filter((one) => one.received() === '')).to.have.length(50);
    } finally {
      ctx.limits.set(bodyTimeoutSeconds, 1);
    }
  });

  describe('in an upload', () => {
    const beginUpload = () =>
      hold(
        '/api/box',
        [`Authorization: Bearer ${user.token}`, 'Content-Type: multipart/form-data; boundary=edge'],
        '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n',
      );

    it('returns 408 and releases reservation and files', async () => {
      const connection = await beginUpload();
      connection.send(Buffer.alloc(20_000));
      await eventually(async () => expect(await reservedBytes()).to.be.above(0));
      expect(await connection.closed()).to.equal(408);
      expect(connection.received()).to.include('RequestTimeoutException');
      await eventually(async () => expect(await reservedBytes()).to.equal(0));
      expect(await storedRows(ctx, UploadReservation)).to.deep.equal([]);
      const files = await readdir(ctx.config.dataDir, { recursive: true });
      expect(files.filter((file) => file.includes('original'))).to.deep.equal([]);
    });

    it('returns 408 also for a byte now and then', async () => {
      const connection = await beginUpload();
      const drip = setInterval(() => connection.send('x'), 100);
      try {
        expect(await connection.closed()).to.equal(408);
      } finally {
        clearInterval(drip);
      }
    });

    it('returns 201 if only the store is slow, for a form and a tus upload', async () => {
      const { storage } = ctx;
      const { arrivals } = storage;
      const put = storage.put.bind(storage);
      const file = Buffer.alloc(4 * 1024 ** 2, 7);
      let began = Infinity;
      /** Pauses for three times the timeout before reading. */
      const delayed = async <Result>(store: () => Promise<Result>): Promise<Result> => {
        began = Math.min(began, performance.now());
        await eventually(() => expect(performance.now() - began).to.be.above(3_000));
        return store();
      };
      const slow = {
        put: (...options: Parameters<typeof put>) => delayed(() => put(...options)),
        arrivals: {
          ...arrivals,
          append: (...options: Parameters<typeof arrivals.append>) => delayed(() => arrivals.append(...options)),
        },
      };
      try {
        Object.assign(storage, slow);
        const tus = await openTus(api, user, file.length);
        const [form, patch] = await Promise.all([upload(api, user, { file }), tus.patch(0, file)]);
        expect([form.status, patch.status], form.text).to.deep.equal([201, 204]);
      } finally {
        Object.assign(storage, { put, arrivals });
      }
    });

    it('returns 429 above 20 concurrent uploads of one user', async () => {
      const connections = await Promise.all(Array.from({ length: 22 }, beginUpload));
      await eventually(() =>
        expect(connections.filter((one) => one.received().startsWith('HTTP/1.1 429 '))).to.have.length(2),
      );
    });

    async function reservedBytes(): Promise<number> {
      const [row] = await ctx.db.rows<{ bytes: number | null }>(
        'SELECT sum(reserved_bytes)::bigint AS bytes FROM quotas WHERE user_id = $userId',
        { userId: user.userId },
      );
      return row?.bytes ?? 0;
    }
  });
});
