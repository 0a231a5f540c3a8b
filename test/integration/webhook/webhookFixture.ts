import { expect } from 'chai';
import { withNewToken } from '../../support/licenses.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { fixtureEach, useFixture, serviceFixture } from '../../support/fixtures.js';
import { storedRows } from '../../support/rows.js';
import { openWebhookReceiver } from '../../support/webhookReceiver.js';
import { startWorkers } from '../../support/workers.js';
import { webhookResponseSeconds } from '../../../workers/webhooks/sendDelivery.js';
import { deliverEvents } from '../../../shared/webhook/webhook.jobs.js';
import { Webhook } from '../../../shared/webhook/webhook.model.js';

/** A service with workers, a receiver and a user, and the operations that tests of deliveries share. */
export function webhookFixture() {
  const { ctx, api } = serviceFixture({ OUTGOING_ALLOWED_NETWORKS: '127.0.0.1' });
  beforeEach(() => ctx.limits.set(webhookResponseSeconds, 600));
  useFixture(() => startWorkers(ctx, { queues: ['webhooks', 'mail'] }));
  const receiver = fixtureEach(openWebhookReceiver);
  /** From now on, requests receive no response and time out after a second. */
  const receiveNothing = (): void => {
    receiver.answer = null;
    ctx.limits.set(webhookResponseSeconds, 1);
  };
  const user: TestUser = fixtureEach(() => registerUser(api));

  interface Made {
    readonly id: string;
    readonly secret: string;
  }
  const call = async (method: string, path = '', body?: object) => {
    const { token } = await withNewToken(api, user);
    return (await api.call(method, `/api/webhook${path}`, { token, ...(body ? { body } : {}) })).body;
  };
  const make = async (url = receiver.url): Promise<Made> => {
    const { webhookId, secret } = await call('POST', '', { url, events: ['content.ready'] });
    return { id: String(webhookId), secret: String(secret) };
  };
  const test = async (id: string): Promise<string> => String((await call('POST', `/${id}/test`)).deliveryId);
  const delivery = (id: string, deliveryId: string) => call('GET', `/${id}/deliveries/${deliveryId}`);
  /** The delivery, when `attempts` attempts have ended. */
  const after = (attempts: number, id: string, deliveryId: string) =>
    eventually(async () => {
      const found = await delivery(id, deliveryId);
      expect(found.attempts).to.equal(attempts);
      return found;
    });
  /** Advances the test clock, which otherwise stands still, and starts the delivery job. */
  const pass = async (milliseconds: number, webhookId: string): Promise<void> => {
    ctx.clock.advance(milliseconds);
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, deliverEvents, { webhookId }));
  };
  const once = (count: number) => eventually(async () => expect(receiver.received).to.have.length(count));
  const state = async (id: string) => (await storedRows(ctx, Webhook, { id }))[0];

  return { ctx, api, receiver, receiveNothing, user, call, make, test, delivery, after, pass, once, state };
}
