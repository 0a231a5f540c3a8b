import { expect } from 'chai';
import { settlePayment } from '../../../shared/payment/payment.service.js';
import { inMinutes } from '../../support/liveRows.js';
import { back, payInSandbox } from '../../support/payments.js';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

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
