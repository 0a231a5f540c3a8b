import { expect } from 'chai';
import { withNewToken } from '../../support/licenses.js';
import { type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { storedRows } from '../../support/rows.js';
import type { SharedService } from '../../support/service.js';
import type { WebhookReceiver } from '../../support/webhookReceiver.js';
import { deliverEvents } from '../../../shared/webhook/webhook.jobs.js';
import { Webhook } from '../../../shared/webhook/webhook.model.js';

/** Calls that the tests of deliveries share. */
export function webhookCalls(
  ctx: SharedService['ctx'],
  api: SharedService['api'],
  user: TestUser,
  receiver: WebhookReceiver,
) {
  interface Made {
    readonly id: string;
    readonly secret: string;
  }
  const call = async (method: string, path = '', body?: object) =>
    (
      await api.call(method, `/api/webhook${path}`, {
        token: (await withNewToken(api, user)).token,
        ...(body ? { body } : {}),
      })
    ).body;
  const make = async (url = receiver.url): Promise<Made> => {
    const { webhookId, secret } = await call('POST', '', { url, events: ['content.ready'] });
    return { id: String(webhookId), secret: String(secret) };
  };
  const test = async (id: string): Promise<string> => String((await call('POST', `/${id}/test`)).deliveryId);
  const delivery = (id: string, deliveryId: string) => call('GET', `/${id}/deliveries/${deliveryId}`);
  /** The delivery once so many attempts have ended. */
  const after = (attempts: number, id: string, deliveryId: string) =>
    eventually(async () => {
      const found = await delivery(id, deliveryId);
      expect(found.attempts).to.equal(attempts);
      return found;
    });
  /** The clock of the test stands still: what waits for a time waits for it. */
  const pass = async (milliseconds: number, webhookId: string): Promise<void> => {
    ctx.clock.advance(milliseconds);
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, deliverEvents, { webhookId }));
  };
  const once = (count: number) => eventually(async () => expect(receiver.received).to.have.length(count));
  const state = async (id: string) => (await storedRows(ctx, Webhook, { id }))[0];

  return { call, make, test, delivery, after, pass, once, state };
}
