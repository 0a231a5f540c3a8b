import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { webhookResponseSeconds } from '../../../workers/webhooks/sendDelivery.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { storedRows } from '../../support/rows.js';
import { openWebhookReceiver } from '../../support/webhookReceiver.js';
import { storedMailNames, mailFolder, readStoredMail } from '../../../shared/platform/mail/mailFiles.js';
import { renderEvents } from '../../../shared/webhook/webhook.jobs.js';
import { giveUpUnsent, requeueDeliveries } from '../../../shared/webhook/deliverySweep.service.js';
import { UnrenderedEvent, Webhook, WebhookDelivery } from '../../../shared/webhook/webhook.model.js';
import { disableUser, createUser } from '../../support/users.js';
import { webhookFixture } from './webhookFixture.js';
import { events } from '../../../shared/eventViews.js';
import { renderDueEvents, renderSliceSeconds } from '../../../shared/webhook/eventRendering.service.js';
import { createWebhook, testWebhook } from '../../../shared/webhook/webhook.service.js';
import { webhookSliceSeconds } from '../../../workers/webhooks/deliverEvents.js';
import { webhookSlots } from '../../../workers/runtime/queueConcurrency.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { startWorkers } from '../../support/workers.js';

const hour = 3_600_000;
const day = 24 * hour;

describe('webhook deliveries', function () {
  this.timeout(60_000);
  const fixture = webhookFixture();
  const { ctx, api, receiver, user, call, make, test, delivery, after, pass, once, state, receiveNothing } = fixture;

  it('can be sent again on request, with the same id', async () => {
    const { id } = await make();
    const deliveryId = await test(id);
    await after(1, id, deliveryId);
    const answer = await call('POST', `/${id}/deliveries/${deliveryId}/resend`);
    expect(answer).to.include({ deliveryId, status: 'WAITING', attempts: 0 });
    await once(2);
    expect(receiver.received[0]?.text).to.equal(receiver.received[1]?.text);
    expect(await call('GET', `/${id}/deliveries`)).to.include({ totalCount: 1 });
  });

  it('disable the webhook at once on 410, and its owner is mailed', async () => {
    const { id } = await make();
    receiver.answer = { status: 410 };
    await after(1, id, await test(id));
    expect(await call('GET', `/${id}`)).to.include({ enabled: false, disabledBy: 'RECEIVER' });
    await expectMail('the status 410');
  });

  it('disable the webhook after a week of failures with a mail, and continue when it is enabled again', async () => {
    const { id } = await make();
    receiver.answer = { status: 503 };
    for (let days = 0; days < 7; days += 1) {
      await after(1, id, await test(id));
      ctx.clock.advance(day);
    }
    ctx.clock.advance(-2_000);
    const later = await test(id);
    await after(1, id, later);
    expect(await call('GET', `/${id}`)).to.include({ enabled: true });
    await pass(5_000, id);
    await after(2, id, later);
    expect(await call('GET', `/${id}`)).to.include({ enabled: false, disabledBy: 'FAILURES' });
    await expectMail('for a week, no event');
    receiver.answer = { status: 200 };
    await pass(hour, id);
    expect(await call('POST', `/${id}`, { enabled: true })).to.include({ enabled: true });
    expect(await after(3, id, later)).to.include({ status: 'DELIVERED' });
    expect(await state(id)).to.deep.include({ failingSince: null, unanswered: 0 });
  });

  it('do not disable the webhook after one failure, long after a failed event', async () => {
    const { id } = await make();
    receiver.answer = { status: 500 };
    const old = await test(id);
    await after(1, id, old);
    await pass(3 * day, id);
    expect(await after(2, id, old)).to.include({ status: 'FAILED' });
    ctx.clock.advance(5 * day);
    receiveNothing();
    expect(await after(1, id, await test(id))).to.include({ status: 'WAITING', failure: 'no response in time' });
    expect(await call('GET', `/${id}`)).to.include({ enabled: true });
    expect((await state(id))?.failingSince).to.deep.equal(ctx.clock.now());
  });

  it('keep the webhook claimed until every request has ended, also if a result cannot be stored', async () => {
    const { id } = await make();
    await ctx.db.model(Webhook).update({ resumesAt: new Date(ctx.clock.now().getTime() + 1_000) }, { where: { id } });
    const [broken, slow] = [await test(id), await test(id)];
    const eventOf = async (deliveryId: string) => String((await delivery(id, deliveryId)).eventId);
    const [brokenEvent, slowEvent] = [await eventOf(broken), await eventOf(slow)];
    receiveNothing();
    receiver.answer = ({ body }) => (body.id === slowEvent ? null : { status: 200 });
    await ctx.db.change(`CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF NEW.id = TG_ARGV[0]::uuid THEN RAISE EXCEPTION ''not stored''; END IF; RETURN NEW; END'`);
    await ctx.db.change(`CREATE TRIGGER refuse_update BEFORE UPDATE ON webhook_deliveries
      FOR EACH ROW EXECUTE FUNCTION refuse_update('${broken}')`);
    try {
      await pass(2_000, id);
      expect(await after(1, id, slow)).to.include({ status: 'WAITING', failure: 'no response in time' });
      const sent = receiver.received.map(({ body }) => body.id);
      expect(sent).to.include(brokenEvent);
      expect(sent.filter((event) => event === slowEvent)).to.have.length(1);
    } finally {
      await ctx.db.change('DROP FUNCTION refuse_update CASCADE');
    }
    await after(1, id, broken);
  });

  it('are not sent for a disabled account, and fail after waiting too long', async () => {
    const { id } = await make();
    receiver.answer = { status: 500 };
    const deliveryId = await test(id);
    await after(1, id, deliveryId);
    await disableUser(ctx, user.userId);
    await pass(5_000, id);
    await ctx.db.transaction((tx) => ctx.events.record(tx, 'content.ready', user.userId, { contentId: id }));
    // A later webhook is served, so the previous job has ended.
    const other = await registerUser(api);
    const body = { url: receiver.url, events: ['content.ready'] };
    const created = await api.call('POST', '/api/webhook', { token: other.token, body });
    await api.call('POST', `/api/webhook/${created.body.webhookId}/test`, { token: other.token });
    await once(2);
    expect(receiver.received.map(({ body: { data } }) => data.webhookId)).to.deep.equal([id, created.body.webhookId]);
    expect(await requeueDeliveries(ctx)).to.equal(0);
    ctx.clock.advance(3 * day);
    await giveUpUnsent(ctx, new AbortController().signal);
    const [row] = await storedRows(ctx, WebhookDelivery, { id: deliveryId });
    expect(row).to.include({ state: 'FAILED', attempts: 1 });
  });

  it('are created when a failing view of an event works again', async () => {
    const { id } = await make();
    await ctx.db.model(Webhook).update({ events: ['license.changed'] }, { where: { id } });
    const render = () => ctx.db.transaction((tx) => ctx.outbox.add(tx, renderEvents, { ownerId: user.userId }));
    await ctx.db.change('ALTER TABLE license_plans RENAME TO other_plans');
    try {
      await ctx.db.transaction((tx) => ctx.events.record(tx, 'license.changed', user.userId, {}));
      await eventually(async () => expect((await storedRows(ctx, UnrenderedEvent))[0]).to.include({ attempts: 1 }));
    } finally {
      await ctx.db.change('ALTER TABLE other_plans RENAME TO license_plans');
    }
    expect(receiver.received).to.deep.equal([]);
    ctx.clock.advance(5_000);
    await render();
    await once(1);
    expect(receiver.received[0]?.body).to.include({ type: 'license.changed' });
  });

  it('do not follow redirects', async () => {
    const { id } = await make();
    receiver.answer = { status: 307, headers: { Location: '/elsewhere' } };
    expect(await after(1, id, await test(id))).to.include({ status: 'WAITING', responseStatus: 307 });
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/hooks']);
  });

  it('pause for a silent receiver, and delay no other receiver', async () => {
    const silent = await make();
    const other = await openWebhookReceiver();
    try {
      // Requests last until their receiver drops them.
      ctx.limits.set(webhookResponseSeconds, 600);
      receiver.answer = null;
      const hung: string[] = [];
      for (let count = 0; count < 6; count += 1) hung.push(await test(silent.id));
      await eventually(async () => expect(receiver.received.length).to.be.greaterThan(0));
      const fast = await make(other.url);
      for (let count = 0; count < 4; count += 1) await test(fast.id);
      await eventually(async () => expect(other.received).to.have.length(4));
      // None of the silent requests has ended, so nothing has waited for them.
      expect((await state(silent.id))?.resumesAt).to.equal(null);
      expect(receiver.received.length).to.be.at.most(4);
      receiver.drop();
      await eventually(async () => expect((await state(silent.id))?.resumesAt).to.be.instanceOf(Date));
      expect(receiver.received.length).to.be.at.most(4);
      const tried = await Promise.all(hung.map((deliveryId) => delivery(silent.id, deliveryId)));
      expect(tried.filter(({ failure }) => failure === 'ECONNRESET')).to.have.length(receiver.received.length);
      receiver.answer = { status: 200 };
      await pass(20_000, silent.id);
      await eventually(async () => {
        const ends = await Promise.all(hung.map((deliveryId) => delivery(silent.id, deliveryId)));
        expect(ends.every(({ status }) => status === 'DELIVERED')).to.equal(true);
      });
    } finally {
      await other.close();
    }
  });

  it('are rejected at the time of sending if the address is not public', async () => {
    const { id } = await make();
    for (const url of ['http://127.0.0.2:1/', 'http://localhost.localdomain:1/', 'http://[fd00::1]/']) {
      await ctx.db.model(Webhook).update({ url, resumesAt: null }, { where: { id } });
      const { failure, status } = await after(1, id, await test(id));
      expect(failure, url).to.match(/^refused: (address|name)$/);
      expect(status).to.equal('WAITING');
      await ctx.db.change('DELETE FROM webhook_deliveries WHERE webhook_id = $id', { id });
    }
  });

  async function expectMail(text: string): Promise<void> {
    const folder = mailFolder(ctx.config);
    const email = `${user.userCode}@`;
    await eventually(async () => {
      const mails = await Promise.all((await storedMailNames(folder)).map((name) => readStoredMail(folder, name)));
      const mine = mails.filter((mail) => mail?.text.includes(text) && mail.to.startsWith(email));
      expect(mine).to.have.length(1);
      expect(mine[0]?.subject).to.include('127.0.0.1');
    });
  }
});

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
