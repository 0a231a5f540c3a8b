import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { Content } from '../../shared/content/content.model.js';
import { registerUser } from '../support/api.js';
import { recoveryMs } from '../support/crashUpload.js';
import { openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { storedRows } from '../support/rows.js';
import { openSlowOrigin } from '../support/slowOrigin.js';
import { sha256, storedHash } from '../support/uploadKills.js';

const file = randomBytes(12 * 1024 ** 2 + 5);

describe('a worker that is killed while it imports a file', function () {
  this.timeout(2 * recoveryMs);
  const deployment = useFixture(() =>
    openDeployment({
      OUTGOING_ALLOWED_NETWORKS: '127.0.0.1',
      WORKER_LOCK_SECONDS: '3',
      WORKER_QUEUES: 'ingestion,sweeps',
    }),
  );
  const origin = useFixture(() => openSlowOrigin(file));

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
