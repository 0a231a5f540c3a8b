import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ArrivingUpload } from '../../shared/box/arrivingUpload.model.js';
import { Content } from '../../shared/content/content.model.js';
import { registerUser } from '../support/api.js';
import { recoveryMs } from '../support/crashUpload.js';
import { openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { given } from '../support/given.js';
import { storedRows } from '../support/rows.js';
import { sha256, storedHash } from '../support/uploadKills.js';

const file = randomBytes(12 * 1024 ** 2 + 5);

/** Sends the file in ranges, a megabyte every 200 ms; notes where each request has begun. */
async function openSlowOrigin() {
  const starts: number[] = [];
  const server = createServer((request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    starts.push(start);
    response.writeHead(start > 0 ? 206 : 200, {
      ETag: '"one"',
      'Content-Length': file.length - start,
      ...(start > 0 ? { 'Content-Range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
    });
    let sent = start;
    const timer = setInterval(() => {
      response.write(file.subarray(sent, (sent += 1024 ** 2)));
      if (sent < file.length) return;
      clearInterval(timer);
      response.end();
    }, 200);
    response.once('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mp4`,
    starts,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

describe('a worker that is killed while it imports a file', function () {
  this.timeout(2 * recoveryMs);
  const deployment = given(() =>
    openDeployment({
      OUTGOING_ALLOWED_NETWORKS: '127.0.0.1',
      WORKER_LOCK_SECONDS: '3',
      WORKER_QUEUES: 'ingestion,sweeps',
    }),
  );
  const origin = given(openSlowOrigin);

  it('leaves what has arrived, and the next worker fetches the rest', async () => {
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
        expect(content).to.include({ arrival: null, sourceBytes: file.length });
      },
      { timeoutMs: recoveryMs },
    );
    expect(origin.starts).to.have.lengthOf(2);
    expect(origin.starts[1]).to.be.at.least(received);
    expect(await storedHash(ctx, body.boxId as string)).to.equal(sha256(file));
  });
});
