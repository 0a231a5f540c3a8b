import { expect } from 'chai';
import { eventOnAirOf } from '../../../shared/live/event.queries.js';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { inMinutes, makeRun, makeSegment, type TestRun } from '../../support/liveStreams.js';
import { rejection } from '../../support/eventually.js';
import { bodyOf } from '../../support/api.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';
import { settlePayment } from '../../../shared/payment/payment.service.js';
import { back, payInSandbox } from '../../support/payments.js';

describe('a live event on air', () => {
  const studio = useFixture(openStudio);

  const minute = 60_000;
  const update = (eventId: string, body: object) => studio.post(`/api/live/event/${eventId}`, body);
  const remove = (eventId: string) => studio.remove(`/api/live/event/${eventId}`);

  /** Opens a run on a channel and stores one segment. */
  async function publish(channelId: string): Promise<TestRun> {
    const stream = { streamId: channelId, ownerId: studio.publisher.userId, path: '' };
    const run = await makeRun(studio.ctx, stream);
    await makeSegment(studio.ctx, run, { startsAt: studio.ctx.clock.now() });
    return run;
  }

  /** An event of an hour that started five minutes ago, with media on its channel. */
  async function onAir(members: object = {}) {
    const body = studio.anEvent(-5, 55, members);
    const { eventId, channel } = bodyOf(201, await studio.createEvent(await studio.channel(), body));
    return { eventId, channelId: channel.channelId as string, body, run: await publish(channel.channelId) };
  }

  /** `onAir` in both reads and both searches. */
  async function shown(eventId: string, channelId: string): Promise<boolean[]> {
    await studio.drained();
    const own = await studio.get(`/api/live/event/${eventId}`);
    const everybody = await studio.get(`/api/public/live/event/${eventId}`, studio.anybody);
    const ownPage = await studio.post('/api/search/live/events', { channelId });
    const page = await studio.post('/api/public/search/live/events', { channelId }, studio.anybody);
    const events = [own.body, everybody.body, ...[ownPage, page].flatMap(({ body }) => body.items)];
    return events.map((event) => event.onAir);
  }
  const always = [true, true, true, true];
  const never = [false, false, false, false];

  it('has `onAir` true in every view until its encoder is away for longer than LIVE_RECONNECT_SECONDS', async () => {
    const { eventId, channelId, run } = await onAir();
    expect(await shown(eventId, channelId)).to.deep.equal(always);
    await endRun(studio.ctx, { runId: run.runId, reason: 'the encoder has disconnected' });
    expect(await shown(eventId, channelId)).to.deep.equal(always);
    studio.ctx.clock.advance(studio.ctx.config.live.reconnectSeconds * 1000 + 1);
    expect(await shown(eventId, channelId)).to.deep.equal(never);
  });

  it('differs from an event that has not started, is over, or is on another channel', async () => {
    const channelId = await studio.channel();
    const { eventId } = await studio.event(1, 2, {}, channelId);
    const run = await publish(channelId);
    const other = await studio.event(-5, 55);
    expect(await shown(eventId, channelId)).to.deep.equal(never);
    expect(await shown(other.eventId, other.channel.channelId)).to.deep.equal(never);
    studio.ctx.clock.advance(minute);
    await makeSegment(studio.ctx, run, { startsAt: studio.ctx.clock.now() });
    expect(await shown(eventId, channelId)).to.deep.equal(always);
    studio.ctx.clock.advance(minute);
    await makeSegment(studio.ctx, run, { startsAt: studio.ctx.clock.now() });
    expect((await studio.get(`/api/live/event/${eventId}`)).body.onAir).to.equal(false);
  });

  it('is found by its channel, also if unlisted, but not before its start or without media', async () => {
    const { eventId, channelId } = await onAir({ publicEvent: false });
    expect((await eventOnAirOf(studio.ctx, channelId)).event.id).to.equal(eventId);
    const silent = await studio.event(-5, 55);
    const later = await studio.event(5, 55);
    await publish(later.channel.channelId);
    for (const id of [silent.channel.channelId, later.channel.channelId, eventId]) {
      const error = await rejection(eventOnAirOf(studio.ctx, id));
      expect(error, id).to.be.instanceOf(NotFoundError);
    }
  });

  it('returns 200 for another description, price, recording and end, and 409 for another start', async () => {
    const { eventId, body } = await onAir();
    const changed = { name: 'Renamed', description: 'New', tags: ['new'], publicEvent: false, recordEvent: true };
    expect(bodyOf(200, await update(eventId, { ...body, ...changed }))).to.deep.include(changed);
    bodyOf(200, await update(eventId, { ...body, paymentMode: 'PAY_PER_VIEW', pricePerView: '2,00' }));
    for (const end of [90, 30]) bodyOf(200, await update(eventId, { ...body, endDate: inMinutes(studio.ctx, end) }));
    for (const start of [-6, 1]) {
      const moved = bodyOf(409, await update(eventId, { ...body, eventDate: inMinutes(studio.ctx, start) }));
      expect(moved.message).to.match(/start/);
    }
  });

  it('differs from a planned or missed event on a channel with media, which returns 200 for a move', async () => {
    const channelId = await studio.channel();
    const missed = await studio.event(-20, -10, {}, channelId);
    const planned = await studio.event(10, 20, {}, channelId);
    await publish(channelId);
    bodyOf(200, await update(planned.eventId, studio.anEvent(30, 40)));
    bodyOf(200, await update(missed.eventId, studio.anEvent(50, 60)));
  });

  it('returns 200 for an end that is now or past, which ends it, and 409 for another end after that', async () => {
    const { eventId, body } = await onAir();
    studio.ctx.clock.advance(2 * minute);
    const ended = { ...body, endDate: inMinutes(studio.ctx, -1) };
    expect(bodyOf(200, await update(eventId, ended)).onAir).to.equal(false);
    const later = bodyOf(409, await update(eventId, { ...body, endDate: inMinutes(studio.ctx, 30) }));
    expect(later.message).to.match(/end/);
    bodyOf(200, await update(eventId, { ...ended, name: 'Renamed' }));
  });

  it('returns 409 for its deletion until its recording is stored, empty or failed, and 204 if it is not recorded', async () => {
    bodyOf(204, await remove((await onAir()).eventId));
    const set = (eventId: string, state: string) =>
      studio.ctx.db.change('UPDATE live_recordings SET state = $state WHERE event_id = $eventId', { state, eventId });
    const { eventId, body } = await onAir({ recordEvent: true });
    expect(bodyOf(409, await remove(eventId)).message).to.match(/recording/);
    for (const state of ['COPYING', 'KEPT']) {
      await set(eventId, state);
      bodyOf(409, await remove(eventId));
    }
    bodyOf(200, await update(eventId, { ...body, recordEvent: false }));
    bodyOf(204, await remove(eventId));
    for (const state of ['INGESTED', 'EMPTY', 'FAILED']) {
      const other = await onAir({ recordEvent: true });
      await set(other.eventId, state);
      bodyOf(204, await remove(other.eventId));
    }
  });
});

const price = { paymentMode: 'PAY_PER_VIEW', pricePerView: '3,00' };
const dayMinutes = 24 * 60;

/** `docs/contract.md#choices-live`: an event with a paid or open payment, until the event is over. */
describe('a sold live event', () => {
  const studio = useFixture(openStudio);

  const update = (eventId: string, body: object, hours = 0) =>
    studio.post(`/api/live/event/${eventId}`, body, undefined, { 'x-service-timezone': String(hours * 3_600_000) });
  const remove = (eventId: string) => studio.remove(`/api/live/event/${eventId}`);

  /** Starts a payment, and resolves with its tracking id. */
  const startToPay = async (eventId: string): Promise<string> =>
    bodyOf(200, await studio.post(`/api/live/event/${eventId}/pay`, back, studio.viewer.token)).trackingId;

  async function pay(eventId: string): Promise<void> {
    const trackingId = await startToPay(eventId);
    await payInSandbox(studio.ctx, trackingId);
    const claim = { trackingId, kind: 'liveEvent', itemId: eventId, buyerId: studio.viewer.userId } as const;
    expect(await settlePayment(studio.ctx, claim)).to.equal('FULFILLED');
  }

  /** Minutes from now until noon (UTC) of the day after tomorrow. */
  function noon(): number {
    const now = studio.ctx.clock.now();
    return Math.ceil(
      (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 2, 12) - now.getTime()) / 60_000,
    );
  }

  /** A paid event of an hour that starts about noon, and its body. */
  async function soldEvent(sell = pay): Promise<{ eventId: string; start: number; body: Record<string, unknown> }> {
    const start = noon();
    const body = studio.anEvent(start, start + 60, price);
    const { eventId } = bodyOf(201, await studio.createEvent(await studio.channel(), body));
    await sell(eventId);
    return { eventId, start, body };
  }

  it('returns 409 for another price, another payment mode and its deletion, with a paid or an open payment', async () => {
    for (const sell of [pay, startToPay]) {
      const { eventId, body } = await soldEvent(async (id) => void (await sell(id)));
      for (const change of [{ pricePerView: '3,01' }, { paymentMode: 'FREE' }])
        expect(bodyOf(409, await update(eventId, { ...body, ...change })).message).to.match(/price/);
      expect(bodyOf(409, await remove(eventId)).exception).to.equal('DataIntegrityViolationException');
      expect((await studio.get(`/api/live/event/${eventId}`)).body).to.include(price);
    }
  });

  it('returns 409 for a move to another day in the caller’s time zone, and 200 within the day', async () => {
    const { eventId, start, body } = await soldEvent();
    const at = (from: number) => ({ ...body, ...studio.anEvent(from, from + 60, price) });
    for (const days of [-1, 1])
      expect(bodyOf(409, await update(eventId, at(start + days * dayMinutes))).message).to.match(/another day/);
    bodyOf(200, await update(eventId, at(start + 11 * 60)));
    bodyOf(200, await update(eventId, at(start - 11 * 60)));
    // Noon in UTC is 02:00 at UTC-10: the next day's 08:00 UTC is on the same day there, 09:00 UTC is not.
    const zone = -10;
    const local = (from: number, length = 60) => ({
      ...body,
      eventDate: inMinutes(studio.ctx, from, zone * 3_600_000),
      endDate: inMinutes(studio.ctx, from + length, zone * 3_600_000),
    });
    bodyOf(409, await update(eventId, local(start - 3 * 60), zone));
    bodyOf(200, await update(eventId, local(start + 20 * 60), zone));
  });

  it('returns 409 for a move to another day in several steps within the days of different time zones', async () => {
    const { eventId, start, body } = await soldEvent();
    const move = (from: number, hours: number) => {
      const moment = (minutes: number) => inMinutes(studio.ctx, minutes, hours * 3_600_000);
      return update(eventId, { ...body, eventDate: moment(from), endDate: moment(from + 60) }, hours);
    };
    bodyOf(200, await move(start + 23 * 60, -12));
    bodyOf(409, await move(start + 34 * 60, 0));
    bodyOf(200, await move(start + 11 * 60, 0));
  });

  it('returns 200 for all other changes and another end, but 409 for a past end', async () => {
    const body = studio.anEvent(5, 65, price);
    const { eventId } = bodyOf(201, await studio.createEvent(await studio.channel(), body));
    await pay(eventId);
    const changed = { name: 'Renamed', description: 'New', tags: ['new'], publicEvent: false, recordEvent: true };
    bodyOf(200, await update(eventId, { ...body, ...changed }));
    bodyOf(200, await update(eventId, { ...body, endDate: inMinutes(studio.ctx, 95) }));
    studio.ctx.clock.advance(10 * 60_000);
    const shortened = { ...body, endDate: inMinutes(studio.ctx, -1) };
    expect(bodyOf(409, await update(eventId, shortened)).message).to.match(/future/);
    bodyOf(200, await update(eventId, { ...body, endDate: inMinutes(studio.ctx, 5) }));
    bodyOf(409, await remove(eventId));
    studio.ctx.clock.advance(5 * 60_000);
    expect(bodyOf(409, await remove(eventId)).message).to.match(/never on air/);
  });
});
