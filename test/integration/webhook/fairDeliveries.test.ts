import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { events } from '../../../shared/eventViews.js';
import { renderDueEvents, renderSliceSeconds } from '../../../shared/webhook/eventRendering.service.js';
import { UnrenderedEvent } from '../../../shared/webhook/webhook.model.js';
import { createWebhook, testWebhook } from '../../../shared/webhook/webhook.service.js';
import { requeueDeliveries } from '../../../shared/webhook/deliverySweep.service.js';
import { webhookSliceSeconds } from '../../../workers/webhooks/deliverEvents.js';
import { webhookResponseSeconds } from '../../../workers/webhooks/sendDelivery.js';
import { webhookSlots } from '../../../workers/runtime/queueConcurrency.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { serviceFixture } from '../../support/service.js';
import { storedRows } from '../../support/rows.js';
import { createUser } from '../../support/users.js';
import { openWebhookReceiver } from '../../support/webhookReceiver.js';
import { startWorkers } from '../../support/workers.js';

/** Slots of the process, and webhooks per user in this test. */
const [slots, webhooksOfUser] = [10, 5];
/** One more than are sent to a receiver concurrently. */
const eventsOfWebhook = 5;

describe('deliveries to slow receivers of three users', function () {
  this.timeout(120_000);
  const { ctx } = serviceFixture(
    { OUTGOING_ALLOWED_NETWORKS: '127.0.0.1' },
    // No request of this test times out.
    {
      limits: [
        [webhookSlots, slots],
        [webhookSliceSeconds, 0],
        [renderSliceSeconds, 0],
        [webhookResponseSeconds, 600],
      ],
    },
  );
  const slow = useFixture(openWebhookReceiver);
  const released = useFixture(openWebhookReceiver);
  const other = useFixture(openWebhookReceiver);

  const makeWebhook = async (ownerId: string, url: string): Promise<string> => {
    const { webhook } = await createWebhook(ctx, ownerId, { url, events: ['content.ready'] });
    for (let count = 0; count < eventsOfWebhook; count += 1) await testWebhook(ctx, ownerId, webhook.id);
    return webhook.id;
  };

  it('release the next slot to another user, although their own webhooks have waited longer', async () => {
    slow.answer = null;
    let release = (): void => {};
    const answered = new Promise<{ status: number }>((resolve) => (release = () => resolve({ status: 204 })));
    released.answer = () => answered;
    await makeWebhook(await createUser(ctx), released.url);
    for (let users = 0; users < 3; users += 1) {
      const owner = await createUser(ctx);
      for (let count = 0; count < webhooksOfUser; count += 1) await makeWebhook(owner, slow.url);
    }
    const workers = await startWorkers(ctx, { queues: ['webhooks'] });
    try {
      const sent = (slots - 1) * 4;
      await eventually(async () => expect(slow.received).to.have.length(sent), { timeoutMs: 30_000 });
      expect(released.received).to.have.length(4);
      const seen: { slow: number; released: number }[] = [];
      other.answer = () => {
        seen.push({ slow: slow.received.length, released: released.received.length });
        return { status: 204 };
      };
      await makeWebhook(await createUser(ctx), other.url);
      // The test clock is advanced: deliveries wait for longer than a publication takes.
      ctx.clock.advance(3_000);
      release();
      await eventually(async () => expect(other.received).to.have.length(eventsOfWebhook), { timeoutMs: 30_000 });
      expect(seen[0]).to.deep.equal({ slow: sent, released: 4 });
      await eventually(async () => expect(slow.received.length).to.be.above(sent), { timeoutMs: 30_000 });
    } finally {
      slow.drop();
      await workers.close();
    }
  });

  it('are all queued again if their jobs are lost, for any batch size', async () => {
    const owner = await createUser(ctx);
    for (let count = 0; count < 5; count += 1) await makeWebhook(owner, other.url);
    const overdue = await requeueDeliveries(ctx, 500);
    ctx.clock.advance(3 * 60_000);
    expect(await requeueDeliveries(ctx, 2)).to.be.at.least(overdue + 5);
  });

  it('are rendered in time slices; a job leaves the remaining events to the next job', async () => {
    const owner = await createUser(ctx);
    await createWebhook(ctx, owner, { url: other.url, events: ['content.ready'] });
    await ctx.db.transaction(async (tx) => {
      for (let count = 0; count < 3; count += 1)
        await ctx.events.record(tx, 'content.ready', owner, { contentId: randomUUID() });
    });
    const rendered = await renderDueEvents(ctx, events, owner, new AbortController().signal);
    expect(rendered).to.deep.equal({ rendered: 1, failed: 0 });
    const workers = await startWorkers(ctx, { queues: ['webhooks'] });
    try {
      await eventually(async () =>
        expect(await storedRows(ctx, UnrenderedEvent, { ownerId: owner })).to.deep.equal([]),
      );
    } finally {
      await workers.close();
    }
  });
});
