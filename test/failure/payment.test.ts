import { expect } from 'chai';
import { auditPayments } from '../../shared/payment/paymentAudit.js';
import { receiveEvent } from '../../shared/payment/providerEvents.js';
import { sweepPayments } from '../../shared/payment/payment.jobs.js';
import type { SandboxBehaviour } from '../../shared/payment/providers/sandbox/sandbox.model.js';
import { registerUser } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openDeployment, type BuiltProcess } from '../support/deployment.js';
import { capturesOf, payInSandbox, referenceOf } from '../support/payments.js';
import { findPayment } from '../../shared/payment/payment.queries.js';
import { useFixture, fixtureEach } from '../support/fixtures.js';

/** A killed process's lease has to expire, and a killed worker's job restarts as stalled. */
const recoveryMs = 90_000;

/** The tests run in order, in one deployment. */
describe('payments after a crash', function () {
  this.timeout(recoveryMs + 60_000);
  const deployment = useFixture(() =>
    openDeployment({ WORKER_LOCK_SECONDS: '4', WORKER_QUEUES: 'payment-verification' }),
  );
  const buyer = fixtureEach(() => registerUser(deployment.api));
  let web: BuiltProcess;
  /** The workers of the current test. */
  const workers: BuiltProcess[] = [];
  before(async () => {
    web = await deployment.start('web');
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  });

  async function startWorker(): Promise<BuiltProcess> {
    const worker = await deployment.start('worker');
    workers.push(worker);
    return worker;
  }

  /** Starts the payment of one month of a plan. */
  async function subscribe(): Promise<string> {
    const addresses = { returnUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/cancelled' };
    const { status, body, text } = await deployment.api.call('POST', '/api/license/Entry/subscribe', {
      token: buyer.token,
      body: addresses,
    });
    expect(status, text).to.equal(200);
    return body.trackingId as string;
  }

  const activate = (trackingId: string) =>
    deployment.api.call('POST', '/api/license/Entry/activate', { token: buyer.token, body: { trackingId } });
  const stateOf = async (trackingId: string) => (await findPayment(deployment.ctx, trackingId))?.state;
  const untilCaptured = (trackingId: string) =>
    eventually(async () => expect(await capturesOf(deployment.ctx, trackingId)).to.equal(1), { everyMs: 10 });

  /** Makes every check due for the sweep that the clock process starts every minute. */
  async function sweep(): Promise<void> {
    await deployment.ctx.db.transaction(async (tx) => {
      await deployment.ctx.db.change(
        `UPDATE payments SET next_check_at = '2001-01-01' WHERE state IN ('CREATED', 'OPEN')`,
        {},
        tx,
      );
      await deployment.ctx.outbox.add(tx, sweepPayments, {});
    });
  }

  /** A webhook about a payment: a worker checks it at once. */
  async function receiveWebhook(trackingId: string): Promise<void> {
    const reference = await referenceOf(deployment.ctx, trackingId);
    await receiveEvent(deployment.ctx, 'sandbox', { id: trackingId, reference });
  }

  async function expectPaidOnce(trackingIds: readonly string[]): Promise<void> {
    await eventually(
      async () => {
        for (const trackingId of trackingIds) expect(await stateOf(trackingId)).to.equal('FULFILLED');
      },
      { timeoutMs: recoveryMs, everyMs: 100 },
    );
    for (const trackingId of trackingIds) {
      expect(await capturesOf(deployment.ctx, trackingId), 'captures').to.equal(1);
      const granted = await deployment.ctx.db.rows(
        `SELECT sum(extract(epoch FROM ends_at - starts_at))::int BETWEEN 27 * 86400 AND 32 * 86400 AS is_month
           FROM license_periods WHERE tracking_id = $trackingId`,
        { trackingId },
      );
      expect(granted, 'a month, once').to.deep.equal([{ isMonth: true }]);
    }
    expect(await auditPayments(deployment.ctx)).to.deep.equal([]);
  }

  async function paid(behaviour: SandboxBehaviour = 'PLAIN'): Promise<string> {
    const trackingId = await subscribe();
    await payInSandbox(deployment.ctx, trackingId, behaviour);
    return trackingId;
  }

  it('of a web process between capture and commit are fulfilled', async () => {
    const trackingId = await paid('SLOW_ANSWER');
    const response = activate(trackingId).catch((error: Error) => error);
    await untilCaptured(trackingId);
    await web.end('SIGKILL');
    expect(await response).to.be.an('error');
    expect(await stateOf(trackingId)).to.equal('OPEN');
    await startWorker();
    await sweep();
    await expectPaidOnce([trackingId]);
    web = await deployment.start('web');
  });

  it('of a worker between capture and commit are fulfilled by activation', async () => {
    const trackingId = await paid('SLOW_ANSWER');
    const worker = await startWorker();
    await receiveWebhook(trackingId);
    await untilCaptured(trackingId);
    await worker.end('SIGKILL');
    expect(await stateOf(trackingId)).to.equal('OPEN');
    const responses = await Promise.all(Array.from({ length: 100 }, () => activate(trackingId)));
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
    await expectPaidOnce([trackingId]);
  });

  it('of all processes at any moment are granted exactly once if they were captured', async () => {
    const trackingIds: string[] = [];
    for (let number = 0; number < 8; number++) trackingIds.push(await paid(number % 2 === 0 ? 'DOUBLE' : 'PLAIN'));
    for (const delayMs of [2, 12, 30]) {
      const worker = await startWorker();
      const responses = trackingIds.map((trackingId) => activate(trackingId).catch(() => {}));
      await Promise.all(trackingIds.map(receiveWebhook));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await Promise.all([web.end('SIGKILL'), worker.end('SIGKILL')]);
      await Promise.all(responses);
      expect(await auditPayments(deployment.ctx), `killed after ${delayMs} ms`).to.deep.equal([]);
      web = await deployment.start('web');
    }
    await startWorker();
    await sweep();
    await expectPaidOnce(trackingIds);
  });

  it('of the web process right after their start, with a lost first check, are found by the sweep', async () => {
    const trackingId = await paid();
    await web.end('SIGKILL');
    await deployment.ctx.db.change('DELETE FROM outbox');
    await startWorker();
    await sweep();
    await expectPaidOnce([trackingId]);
  });
});
