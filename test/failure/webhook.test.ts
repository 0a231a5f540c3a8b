import { expect } from 'chai';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { Webhook } from '../../shared/webhook/webhook.model.js';
import { VodItem } from '../../shared/vod/vod.model.js';
import { registerUser } from '../support/api.js';
import { seedBoxItem, storedRows } from '../support/rows.js';
import { recoveryMs } from './crashUpload.js';
import { openDeployment, type TestDeployment, type BuiltProcess } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { openWebhookReceiver } from '../support/webhookReceiver.js';

const publications = 75;

describe('webhook events while processes are killed and PostgreSQL restarts', function () {
  this.timeout(2 * recoveryMs);
  const database = useFixture(startTestDatabase, (server) => server.stop());
  after(() => database.stop());
  const receiver = useFixture(openWebhookReceiver);
  let deployment: TestDeployment;
  afterEach(() => deployment.close());

  it('arrive with one id each if and only if they were committed', async () => {
    deployment = await openDeployment(
      {
        OUTGOING_ALLOWED_NETWORKS: '127.0.0.1',
        WORKER_LOCK_SECONDS: '2',
        WORKER_QUEUES: 'webhooks,sweeps',
      },
      database.url,
    );
    const { ctx, api } = deployment;
    let web = await deployment.start('web');
    let worker = await deployment.start('worker');
    await deployment.start('clock');
    const user = await registerUser(api);
    const { boxId } = await seedBoxItem(ctx, user.userId);
    const { status } = await api.call('POST', '/api/webhook', {
      token: user.token,
      body: { url: receiver.url, events: ['vod.published'] },
    });
    expect(status).to.equal(201);

    const answered = new Set<string>();
    const publish = async (): Promise<void> => {
      const call = api.call('POST', `/api/box/${boxId}/vod`, { token: user.token, body: { licenseType: 'FREE' } });
      const response = await call.catch(() => null);
      if (response?.status === 201) answered.add(String(response.body.vodId));
    };
    const kill = async (process: BuiltProcess, kind: 'web' | 'worker'): Promise<BuiltProcess> => {
      await process.end('SIGKILL');
      return deployment.start(kind);
    };
    // The receiver rejects the first request of some events, so that they wait for delayed jobs.
    const refused = new Set<string>();
    receiver.answer = ({ body }) => {
      const isFirst = String(body.id).startsWith('7') && !refused.has(String(body.id));
      refused.add(String(body.id));
      return { status: isFirst ? 500 : 204 };
    };
    for (let count = 0; count < publications; count += 1) {
      // Several deliveries at once, so that a process is killed during one.
      const calls = Promise.all([publish(), publish(), publish()]);
      if (count % 25 === 10) web = await kill(web, 'web');
      if (count % 15 === 5) worker = await kill(worker, 'worker');
      if (count === 40) await database.restart();
      await calls;
    }
    const ids = await eventually(
      async () => {
        const waiting = await ctx.db.rows(
          "SELECT id FROM webhook_deliveries WHERE state = 'WAITING' UNION ALL SELECT id FROM unrendered_events",
        );
        expect(waiting.length).to.equal(0);
        return new Set((await storedRows(ctx, VodItem)).map(({ id }) => id));
      },
      { timeoutMs: recoveryMs },
    );
    expect(
      [...answered].filter((id) => !ids.has(id)),
      'acknowledged but not committed',
    ).to.deep.equal([]);
    const idsSent = new Map<string, Set<string>>();
    for (const { body, headers } of receiver.received) {
      const vodId = String(body.data.vod.vodId);
      idsSent.set(vodId, (idsSent.get(vodId) ?? new Set()).add(headers['webhook-id'] ?? ''));
    }
    expect([...idsSent.keys()].toSorted()).to.deep.equal([...ids].toSorted());
    expect([...idsSent.values()].filter(({ size }) => size !== 1)).to.deep.equal([]);
    expect(answered.size).to.be.greaterThan(publications);
    expect((await storedRows(ctx, Webhook))[0]).to.deep.include({ enabled: true, unanswered: 0 });
  });
});
