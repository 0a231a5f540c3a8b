import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { startPartServer } from '../../workers/live/lowLatency/partServer.js';
import { registerUser } from '../support/api.js';
import { seedBoxItem, seedStream, sha256, storedHash } from '../support/rows.js';
import { openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { openPartedRun } from '../support/live/partsFixture.js';
import { seedLiveChannel } from '../support/liveFixture.js';
import { streamPathOf } from '../support/streamFixture.js';
import { testStores } from '../support/stores.js';
import { metadataOf, offsetStream, openTus } from '../support/tus.js';
import { handmadeForm, upload } from '../support/uploads.js';
import { rowsOf } from '../support/requirements.js';

const rounds = 40;
const atOnce = 10;
const seed = 42;
const soonMs = 50;

for (const { name: kind } of rowsOf([{ name: 'disk' }, { name: 'S3' }] as const, ['S3']))
  describe(`clients that abort their requests at any byte, on ${kind}`, function () {
    this.timeout(90_000);
    const store = useFixture(() => testStores[kind]());
    const deployment = useFixture(() => openDeployment({ ...store.env, UPLOAD_LIMIT_BYTES: String(64 * 1024 ** 2) }));

    it(`do not end the web process and leave nothing behind (seed ${seed})`, async () => {
      const { ctx, api } = deployment;
      const web = await deployment.start('web');
      const parts = (await startPartServer(ctx)) ?? expect.fail('no part server');
      const random = seededNumbers(seed);
      const port = Number(new URL(api.url).port);
      const user = await registerUser(api);
      const requests = await requestsOf(user, parts);
      try {
        const names = Object.keys(requests);
        const kinds = Array.from({ length: rounds }, () => names).flat();
        let next = 0;
        const abortNext = async (): Promise<void> => {
          for (let name = kinds[next++]; name !== undefined; name = kinds[next++]) {
            const request = await requests[name]?.(random);
            if (request) await abortRequest(port, request, random);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, abortNext));
      } finally {
        await parts.close();
      }
      expect((await api.call('GET', '/healthz')).status, web.output()).to.equal(200);
      expect(process.kill(web.pid, 0)).to.equal(true);
      expect(web.output()).not.to.match(/uncaught|unhandled/i);

      const file = randomBytes(300_000);
      const sent = await upload(api, user, { file });
      expect(sent.status, web.output()).to.equal(201);
      expect(await storedHash(ctx, sent.body.boxId as string)).to.equal(sha256(file));
      await eventually(async () => {
        const [row] = await ctx.db.rows<{ held: number }>(
          'SELECT count(*)::int AS held FROM arriving_uploads WHERE metadata IS NULL OR lease_until > now()',
        );
        expect(row?.held).to.equal(0);
      });
      expect(await web.end('SIGTERM')).to.equal(0);
    });

    /** The requests to abort, by name. */
    async function requestsOf(
      user: Awaited<ReturnType<typeof registerUser>>,
      parts: NonNullable<Awaited<ReturnType<typeof startPartServer>>>,
    ): Promise<Record<string, (random: () => number) => Promise<AbortedRequest>>> {
      const { ctx, api } = deployment;
      const Authorization = `Bearer ${user.token}`;
      const tus = { Authorization, 'Tus-Resumable': '1.0.0', ...offsetStream };
      const item = await seedBoxItem(ctx, user.userId);
      await seedStream(ctx, item.folder);
      const folder = await streamPathOf(ctx, user, item);
      const pending = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
      const source = await upload(api, user, { file: randomBytes(2_000_000) });
      const token = await api.call('GET', `/api/content/${source.body.contentId}/download`, { token: user.token });
      const channel = await seedLiveChannel(ctx);
      const run = await openPartedRun({ ...channel, ctx }, parts);
      await run.segments(2);
      run.part();
      const live = channel.pathOf(channel.channelId);
      const uploads = await Promise.all(Array.from({ length: 8 }, () => openTus(api, user, 16 * 1024 ** 2)));
      const get =
        (path: string, headers: Record<string, string> = {}) =>
        async (random: () => number) => ({
          bytes: requestBytes(`GET ${path}`, headers),
          readBytes: Math.floor(random() ** 3 * 300_000),
        });
      const waiting =
        (path: string, headers: Record<string, string> = {}) =>
        async () => ({
          bytes: requestBytes(`GET ${path}`, headers),
          readBytes: 0,
        });
      const sending = (bytes: Buffer): AbortedRequest => ({ bytes, readBytes: null });
      const bodyOf = (random: () => number): Buffer => randomBytes(Math.ceil(random() ** 4 * 3_000_000) + 50);
      return {
        async patch(random) {
          const at = uploads[Math.floor(random() * uploads.length)] ?? expect.fail('no upload');
          const { offset } = await at.head();
          const body = bodyOf(random);
          const headers = { ...tus, 'Upload-Offset': offset, 'Content-Length': body.length };
          return sending(requestBytes(`PATCH ${new URL(at.url, api.url).pathname}`, headers, body));
        },
        async creation(random) {
          const body = bodyOf(random);
          const fields = { 'Upload-Length': body.length, 'Upload-Metadata': metadataOf({ title: 'x' }) };
          const headers = { ...tus, ...fields, 'Content-Length': body.length };
          return sending(requestBytes('POST /api/box/tus', headers, body));
        },
        async form(random) {
          const { boundary, body } = handmadeForm([
            { name: 'title', value: 'x' },
            { name: 'file', fileName: 'x.mp4', value: bodyOf(random) },
          ]);
          const type = `multipart/form-data; boundary=${boundary}`;
          const headers = { Authorization, 'Content-Type': type, 'Content-Length': body.length };
          return sending(requestBytes('POST /api/box', headers, body));
        },
        async json(random) {
          const body = Buffer.from(JSON.stringify({ title: 'x'.repeat(random() * 30_000) }));
          return sending(
            requestBytes(`PUT /api/box/${item.boxId}`, { Authorization, 'Content-Length': body.length }, body),
          );
        },
        segment: get(`${folder}240p/s0.m4s`),
        range: get(`${folder}240p/s0.m4s`, { Range: 'bytes=1000-150000' }),
        download: get(`/download/content/${source.body.contentId}?token=${token.body.token}`),
        events: waiting(`/api/box/${pending.boxId}/status/events`, { Authorization }),
        livePlaylist: waiting(`${live}720p.m3u8?_HLS_msn=2&_HLS_part=1`),
      };
    }
  });

/** A raw request, and the number of response bytes that the client reads before it aborts; null: it aborts while it sends. */
interface AbortedRequest {
  readonly bytes: Buffer;
  readonly readBytes: number | null;
}

/** Pseudorandom numbers from 0 to 1, reproducible by their seed. */
function seededNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The head and the body of a request. */
function requestBytes(
  line: string,
  headers: Readonly<Record<string, string | number>>,
  body: Uint8Array = new Uint8Array(),
): Buffer {
  const lines = Object.entries({ Host: 'test', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/**
 * Sends a request up to a random byte and aborts, or sends all of it and aborts after this part of the response; for 0 bytes, after
 * a short random time. The connection is closed, reset, or closed in one direction first.
 */
async function abortRequest(port: number, { bytes, readBytes }: AbortedRequest, random: () => number): Promise<void> {
  const cut = Math.floor(random() * bytes.length);
  const leaving = Math.floor(random() * 3);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: leaving === 2 });
  socket.on('error', () => {});
  const closed = once(socket, 'close').catch(() => {});
  await once(socket, 'connect');
  let received = 0;
  const leave = (): void => {
    if (leaving === 0) socket.resetAndDestroy();
    else if (leaving === 1) socket.destroy();
    else socket.end(() => socket.destroy());
  };
  socket.once('end', () => socket.destroy());
  socket.on('data', (data: Buffer) => {
    received += data.length;
    if (readBytes !== null && received > readBytes) leave();
  });
  socket.write(bytes.subarray(0, cut), () => {
    if (readBytes === null) return leave();
    socket.write(bytes.subarray(cut), () => void (readBytes === 0 && setTimeout(leave, random() * soonMs)));
  });
  await closed;
}
