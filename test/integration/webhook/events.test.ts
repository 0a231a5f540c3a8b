import { expect } from 'chai';
import { events } from '../../../shared/eventViews.js';
import { sentEvents } from '../../../api/webhook/events.schemas.js';
import { recordEndedSubscriptions } from '../../../shared/bundle/subscriptionEvents.service.js';
import { completeGeneration, failGeneration } from '../../../shared/content/generation.lifecycle.js';
import { Content } from '../../../shared/content/content.model.js';
import { assignPlan, downgrade } from '../../../shared/license/license.service.js';
import { planNamed } from '../../../shared/license/plan.queries.js';
import { sendNotices } from '../../../shared/license/notices.service.js';
import { reversePayment } from '../../../shared/payment/payment.lifecycle.js';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { endIdleLiveSessions } from '../../../shared/streaming/liveSession.lifecycle.js';
import type { EventRegistry } from '../../../shared/webhook/eventRegistry.js';
import {
  giveUpUnrendered,
  renderDueEvents,
  requeueUnrendered,
} from '../../../shared/webhook/eventRendering.service.js';
import { UnrenderedEvent, Webhook, WebhookEvent } from '../../../shared/webhook/webhook.model.js';
import { seedBoxItem, changeRow, storedRows } from '../../support/rows.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { quotaMonth, setQuota } from '../../support/licenses.js';
import { makeRun } from '../../support/liveStreams.js';
import { bodyOf } from '../../support/api.js';
import { rejection } from '../../support/eventually.js';
import { upload } from '../../support/uploads.js';
import { newBundle, subscribed } from '../bundle/bundles.js';
import { openStudio } from '../live/studio.js';

describe('events sent to webhooks', () => {
  // A separate service: the test advances its clock and reads all events.
  const { ctx, api } = serviceFixture({});
  const studio = useFixture(() => openStudio({ ctx, api }));
  const publisher = useFixture(() => studio.publisher);
  const viewer = useFixture(() => studio.viewer);
  const noSignal = new AbortController().signal;
  const types = sentEvents.map(({ type }) => type).filter((type) => type !== 'webhook.test');
  /** Webhook ids by user code. */
  const webhooks = new Map<string, string>();

  before(async () => {
    await ctx.outbox.close();
    for (const user of [publisher, viewer]) {
      const body = { url: 'https://example.org/', events: types };
      const { webhookId } = bodyOf(201, await api.call('POST', '/api/webhook', { token: user.token, body }));
      webhooks.set(user.userCode, String(webhookId));
    }
  });
  /** No worker runs: a test renders the recorded events when it reads the sent ones. */
  let views: EventRegistry = events;
  beforeEach(async () => {
    views = events;
    for (const table of ['webhook_events', 'unrendered_events']) await ctx.db.change(`DELETE FROM ${table}`);
  });
  const failingView = () => Promise.reject(new Error('a fault of a view'));
  const render = (user = publisher) => renderDueEvents(ctx, views, user.userId, noSignal);

  interface Sent {
    readonly type: string;
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
    readonly data: any;
  }

  /** The events that wait to be sent to a user, in any order. Each is validated against its schema. */
  async function sentTo(user = publisher): Promise<Sent[]> {
    await render(user);
    const rows = await ctx.db.rows<{ id: string; body: string }>(
      `SELECT event.id, event.body FROM webhook_deliveries delivery JOIN webhook_events event ON event.id = delivery.event_id
        WHERE delivery.webhook_id = $webhookId AND delivery.state = 'WAITING' ORDER BY event.type`,
      { webhookId: webhooks.get(user.userCode) },
    );
    return rows.map(({ id, body }) => {
      const event = JSON.parse(body);
      const schema = sentEvents.find(({ type }) => type === event.type)?.schema;
      const { error } = schema?.validate(event, { convert: false, abortEarly: false }) ?? {};
      expect(error?.message, event.type).to.equal(undefined);
      expect(event.id).to.equal(id);
      return { type: event.type, data: event.data };
    });
  }
  const typesSent = async (user = publisher): Promise<string[]> => (await sentTo(user)).map(({ type }) => type);
  const boxItem = async (boxId: string) => (await studio.get(`/api/box/${boxId}`)).body;

  it('report an upload', async () => {
    const { boxId } = bodyOf(201, await upload(api, publisher));
    const [event, ...others] = await sentTo();
    expect(others).to.deep.equal([]);
    expect(event).to.deep.equal({ type: 'upload.completed', data: { boxItem: await boxItem(String(boxId)) } });
    expect(await sentTo(viewer)).to.deep.equal([]);
  });

  it('report a content that is READY, then complete, and a recording', async () => {
    for (const recorded of [false, true]) {
      const { boxId, contentId } = await seedBoxItem(ctx, publisher.userId, { state: 'PENDING' });
      await changeRow(ctx, Content, contentId, { generation: 1, quick: true, recorded });
      const complete = (generation: number) =>
        ctx.db.transaction((tx) => completeGeneration(ctx, tx, { contentId, generation }, 1000));
      expect(await complete(1)).to.equal(true);
      const ready = await sentTo();
      expect(ready.map(({ type }) => type)).to.deep.equal(
        recorded ? ['content.ready', 'recording.ready'] : ['content.ready'],
      );
      for (const { data } of ready) expect(data.boxItem).to.deep.equal(await boxItem(boxId));
      expect(ready[0]?.data.boxItem).to.include({ status: 'READY', preparing: 0 });
      expect(await complete(1)).to.equal(false);
      expect(await complete(2)).to.equal(true);
      expect((await typesSent()).filter((type) => !type.endsWith('ready'))).to.deep.equal(['content.complete']);
      await ctx.db.change('DELETE FROM webhook_events');
    }
  });

  it('report a failed content with the reason', async () => {
    const { contentId } = await seedBoxItem(ctx, publisher.userId, { state: 'PENDING' });
    await changeRow(ctx, Content, contentId, { generation: 1 });
    const failure = { key: 'content.failure.unreadable', detail: 'for operators' };
    await ctx.db.transaction((tx) => failGeneration(ctx, tx, { contentId, generation: 1 }, failure));
    // It is processed again before the event is rendered.
    await changeRow(ctx, Content, contentId, { state: 'PENDING', generation: 2, failureKey: null });
    const [event] = await sentTo();
    expect(event?.type).to.equal('content.failed');
    expect(event?.data.boxItem).to.include({ status: 'FAILED' }).and.to.have.property('message');
    expect(JSON.stringify(event)).not.to.include('for operators');
  });

  it('report a publication and its end', async () => {
    const { boxId } = await seedBoxItem(ctx, publisher.userId);
    const vod = bodyOf(201, await studio.post(`/api/box/${boxId}/vod`, { licenseType: 'FREE' }));
    expect(await sentTo()).to.deep.equal([{ type: 'vod.published', data: { vod } }]);
    await ctx.db.change('DELETE FROM webhook_events');
    expect((await studio.remove(`/api/vod/${vod.vodId}`)).status).to.equal(204);
    expect(await sentTo()).to.deep.equal([{ type: 'vod.withdrawn', data: { vod } }]);
  });

  it('report a payment and a subscription to both sides, an extension, and their ends', async () => {
    const bundleId = await newBundle(api, publisher);
    const first = await subscribed(api, viewer.token, bundleId);
    for (const [user, role, side] of [
      [publisher, 'SELLER', 'PUBLISHER'],
      [viewer, 'BUYER', 'SUBSCRIBER'],
    ] as const) {
      const [paid, started, ...others] = await sentTo(user);
      expect(others).to.deep.equal([]);
      expect(paid?.data).to.deep.include({ role });
      expect(paid?.data.payment).to.include({
        trackingId: first,
        itemId: bundleId,
        amount: '12,50',
        status: 'FULFILLED',
      });
      expect(started?.type).to.equal('subscription.started');
      expect(started?.data).to.deep.include({ role: side });
      expect(started?.data.subscription.bundle).to.include({ bundleId });
      expect(JSON.stringify([paid, started])).not.to.include(viewer.userCode);
    }
    await ctx.db.change('DELETE FROM webhook_events');
    const second = await subscribed(api, viewer.token, bundleId);
    expect(await typesSent()).to.deep.equal(['payment.fulfilled']);
    expect(await recordEndedSubscriptions(ctx, noSignal)).to.equal(0);
    for (const trackingId of [first, second]) expect(await reversePayment(ctx, trackingId)).to.equal(true);
    expect(await recordEndedSubscriptions(ctx, noSignal)).to.equal(1);
    expect(await recordEndedSubscriptions(ctx, noSignal)).to.equal(0);
    const payments = (await sentTo(viewer)).filter(({ type }) => type.startsWith('payment.'));
    expect(payments.map(({ type, data }) => [type, data.payment.status])).to.deep.equal([
      ['payment.fulfilled', 'FULFILLED'],
      ['payment.reversed', 'REVERSED'],
      ['payment.reversed', 'REVERSED'],
    ]);
    const ends = ['payment.reversed', 'payment.reversed', 'subscription.ended'];
    for (const user of [publisher, viewer])
      expect((await typesSent(user)).filter((type) => type !== 'payment.fulfilled')).to.deep.equal(ends);
    await ctx.db.change('DELETE FROM webhook_events');
    await subscribed(api, viewer.token, bundleId);
    expect(await typesSent(viewer)).to.deep.equal(['payment.fulfilled', 'subscription.started']);
  });

  it('are sent although another event’s view fails, which undoes no payment and is rendered later', async () => {
    const bundleId = await newBundle(api, publisher);
    const happenedAt = ctx.clock.now();
    views = { ...events, 'subscription.started': failingView };
    await subscribed(api, viewer.token, bundleId);
    for (const user of [publisher, viewer]) expect(await typesSent(user)).to.deep.equal(['payment.fulfilled']);
    expect(await storedRows(ctx, UnrenderedEvent)).to.have.length(2);
    views = events;
    ctx.clock.advance(4_999);
    for (const user of [publisher, viewer])
      expect(await render(user), 'while it backs off').to.deep.equal({ rendered: 0, failed: 0 });
    ctx.clock.advance(1);
    for (const user of [publisher, viewer]) {
      const [, started] = await sentTo(user);
      expect(started?.type).to.equal('subscription.started');
      expect(started?.data.subscription.bundle).to.include({ bundleId });
    }
    const sent = await storedRows(ctx, WebhookEvent, { type: 'subscription.started' });
    expect(new Set(sent.map(({ body }) => JSON.parse(body).timestamp))).to.have.all.keys(happenedAt.toISOString());
  });

  it('report a broadcast with its first encoder, not the next ones, and its end', async () => {
    const channelId = await studio.channel();
    const { eventId } = await studio.event(0, 60, {}, channelId);
    const stream = { streamId: channelId, ownerId: publisher.userId, path: '' };
    await makeRun(ctx, stream);
    const { runId } = await makeRun(ctx, stream);
    const [started, ...others] = await sentTo();
    expect(others).to.deep.equal([]);
    expect(started?.type).to.equal('live.started');
    expect(started?.data.channel).to.deep.equal((await studio.get(`/api/live/channel/${channelId}`)).body);
    expect(started?.data.event).to.include({ eventId });
    await endRun(ctx, { runId, reason: 'over' });
    expect(await endIdleLiveSessions(ctx)).to.equal(0);
    ctx.clock.advance(61_000);
    expect(await endIdleLiveSessions(ctx)).to.equal(1);
    expect(await typesSent()).to.deep.equal(['live.ended', 'live.started']);
  });

  it('contain items, a channel and a stream that were deleted before the rendering', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, publisher.userId, { state: 'PENDING' });
    await changeRow(ctx, Content, contentId, { generation: 1, quick: true });
    await ctx.db.transaction((tx) => completeGeneration(ctx, tx, { contentId, generation: 1 }, 1000));
    const { renditions: _renditions, preparing: _preparing, ...item } = await boxItem(boxId);
    const vod = bodyOf(201, await studio.post(`/api/box/${boxId}/vod`, { licenseType: 'FREE' }));
    const channelId = await studio.channel();
    const channel = (await studio.get(`/api/live/channel/${channelId}`)).body;
    await makeRun(ctx, { streamId: channelId, ownerId: publisher.userId, path: '' });
    const stream = bodyOf(201, await studio.post('/api/cast/stream', { name: 'Stream' }));
    await makeRun(ctx, { streamId: String(stream.streamId), ownerId: publisher.userId, path: '' });
    const paths = [`vod/${vod.vodId}`, `box/${boxId}`, `live/channel/${channelId}`, `cast/stream/${stream.streamId}`];
    for (const path of paths) expect((await studio.remove(`/api/${path}`)).status, path).to.equal(204);
    expect(await sentTo()).to.have.deep.members([
      { type: 'content.ready', data: { boxItem: item } },
      { type: 'vod.published', data: { vod } },
      { type: 'vod.withdrawn', data: { vod } },
      { type: 'live.started', data: { channel } },
      { type: 'live.started', data: { stream } },
    ]);
  });

  it('report a change of the license, and a nearly reached limit', async () => {
    const plans = await Promise.all(['Free', 'Basic'].map((name) => planNamed(ctx, name)));
    for (const plan of plans) await assignPlan(ctx, publisher.userId, plan);
    await downgrade(ctx, publisher.userId);
    const licenses = (await sentTo()).map(({ data }) => data.license);
    expect(licenses.map(({ licenseName }) => licenseName)).to.have.members(['Free', 'Basic', 'Free']);
    expect(licenses[0]).to.include({ licenseExpired: false });
    await ctx.db.change('DELETE FROM webhook_events');
    await setQuota(ctx, publisher.userId, { planId: 1, bandMonth: quotaMonth(ctx), bandBytes: 1e15 });
    await sendNotices(ctx, noSignal);
    await sendNotices(ctx, noSignal);
    const warnings = await sentTo();
    expect(warnings.map(({ type, data }) => [type, data.quantity])).to.deep.equal([['quota.warning', 'BAND']]);
    expect(warnings[0]?.data.percent).to.be.greaterThan(80);
  });

  it('are discarded after three days of a failing view, or if their subject was deleted unrecorded', async () => {
    const { contentId } = await seedBoxItem(ctx, publisher.userId);
    const record = (type: 'content.ready') =>
      ctx.db.transaction((tx) => ctx.events.record(tx, type, publisher.userId, { contentId }));
    const waiting = () => storedRows(ctx, UnrenderedEvent);
    views = { ...events, 'content.ready': failingView };
    await record('content.ready');
    expect(await requeueUnrendered(ctx), 'before its job counts as lost').to.equal(0);
    for (let hours = 0; hours < 72; hours += 12) {
      expect(await render()).to.deep.equal({ rendered: 0, failed: 1 });
      await giveUpUnrendered(ctx);
      expect(await waiting()).to.have.length(1);
      ctx.clock.advance(12 * 3_600_000 + 1);
      expect(await requeueUnrendered(ctx)).to.equal(1);
    }
    await giveUpUnrendered(ctx);
    expect(await waiting()).to.deep.equal([]);
    views = events;
    await record('content.ready');
    await ctx.db.change('DELETE FROM box_items WHERE content_id = $contentId', { contentId });
    expect(await sentTo()).to.deep.equal([]);
    expect(await waiting()).to.deep.equal([]);
  });

  it('exclude those rolled back, those that the webhook does not name, and those recorded while it is disabled', async () => {
    const record = (type: 'license.changed', fails = false) =>
      ctx.db.transaction(async (tx) => {
        await ctx.events.record(tx, type, publisher.userId, {});
        if (fails) throw new Error('rolled back');
      });
    expect((await rejection(record('license.changed', true))).message).to.equal('rolled back');
    const id = webhooks.get(publisher.userCode) ?? '';
    await changeRow(ctx, Webhook, id, { events: ['content.ready'] });
    await record('license.changed');
    await changeRow(ctx, Webhook, id, { events: types, enabled: false, disabledBy: 'OWNER' });
    await record('license.changed');
    await changeRow(ctx, Webhook, id, { enabled: true, disabledBy: null });
    expect(await sentTo()).to.deep.equal([]);
    await record('license.changed');
    expect(await typesSent()).to.deep.equal(['license.changed']);
  });
});
