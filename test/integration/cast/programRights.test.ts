import { expect } from 'chai';
import { airableContents, mayAirUntil } from '../../../shared/cast/programming/airable.queries.js';
import { checkRights } from '../../../shared/cast/programming/rights.service.js';
import type { Context } from '../../../shared/platform/context.js';
import { seedBoxItem, changeRow, changeRows } from '../../support/rows.js';
import { bodyOf, rejectedFields } from '../../support/api.js';
import { openSchedule } from './schedule.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';
import { AcquiredLicense } from '../../../shared/marketplace/acquiredLicense.model.js';

const dayMs = 24 * 3_600_000;

/** The contents that a channel may show: `docs/contract.md#choices-cast`. */
describe('the rights of programs', () => {
  const schedule = useFixture(openSchedule);
  const seller = useFixture(() => schedule.newPublisher());

  /** A content of another user that the publisher has licensed. */
  async function acquired(conditions: object): Promise<string> {
    const { boxId } = await seedBoxItem(schedule.ctx, seller.userId, { title: 'Licensed', durationMs: 3_600_000 });
    const offer = await schedule.post(`/api/box/${boxId}/marketplace`, conditions, seller.token);
    const { marketplaceId } = bodyOf(201, offer);
    return bodyOf(200, await schedule.post(`/api/marketplace/${marketplaceId}/acquire`, {})).boxContent.boxId;
  }
  const entry = (sourceId: string, day: number, start = '10:00', end = '10:30') => ({
    ...{ startDate: schedule.at(day, start), endDate: schedule.at(day, end) },
    ...{ programType: 'PRERECORDED', sourceId, title: 'Licensed' },
  });
  const expireAt = async (boxId: string, expiresAt: Date | null) => {
    await changeRows(schedule.ctx, AcquiredLicense, { boxItemId: boxId }, { expiresAt });
    await changeRow(schedule.ctx, BoxItem, boxId, { expiresAt });
  };
  const dayOf = async (channelId: string, day: number) => bodyOf(200, await schedule.read(channelId, day)).programs;

  it('require a license that lasts until the program’s end, to the second', async () => {
    const channelId = await schedule.castChannel();
    const boxId = await acquired({ licenseType: 'FREE', duration: 5, durationUnit: 'DAYS' });
    const end = new Date(Date.parse(`${isoDate(3)}T10:30:00Z`));
    await expireAt(boxId, end);
    expect(rejectedFields(await schedule.save(channelId, 3, [entry(boxId, 3, '10:00', '10:30:01')]))).to.deep.equal([
      'programs[0].sourceId licenseEnds',
    ]);
    await schedule.saved(channelId, 3, [entry(boxId, 3)]);
    // The program is moved past the license's end.
    const item = { sourceType: 'BREAK', duration: 1 };
    const moved = await schedule.edit(channelId, 3, 'insert', { index: 0, sourceItems: [item] });
    expect(rejectedFields(moved)).to.deep.equal(['programs[0].sourceId licenseEnds']);
    bodyOf(200, await schedule.edit(channelId, 3, 'insert', { index: 1, sourceItems: [item] }));
  });

  const isoDate = (day: number) => schedule.date(day).replace(/^(....)(..)(..)$/, '$1-$2-$3');

  it('reject a license that pays the licensor per view', async () => {
    const channelId = await schedule.castChannel();
    for (const conditions of [
      { licenseType: 'PAY_PER_VIEW', pricePerView: '1,00' },
      { licenseType: 'REVENUE_SHARING', earningPercentage: 30 },
    ]) {
      const boxId = await acquired(conditions);
      expect(rejectedFields(await schedule.save(channelId, 2, [entry(boxId, 2)]))).to.deep.equal([
        'programs[0].sourceId licenseForbids',
      ]);
    }
    for (const conditions of [{ licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC_SA' }, { licenseType: 'FREE' }])
      await schedule.saved(channelId, 2, [entry(await acquired(conditions), 2)]);
  });

  it('permit only the owner’s READY contents, and air their ready generation', async () => {
    const { ctx, publisher } = schedule;
    const [own, foreign] = [await schedule.film(60), await schedule.film(60, {}, schedule.viewer)];
    const failed = await schedule.film(60, { state: 'FAILED' });
    const ids = { ownerId: publisher.userId, boxItemIds: [own, foreign, failed] };
    const airable = await airableContents(ctx, ids);
    expect([...airable.keys()]).to.deep.equal([own]);
    expect(airable.get(own)).to.include({ generation: 1, durationMs: 60_000, expiresAt: null });
    const end = new Date();
    expect(mayAirUntil({ expiresAt: null }, end)).to.equal(true);
    expect(mayAirUntil({ expiresAt: end }, end)).to.equal(true);
    expect(mayAirUntil({ expiresAt: new Date(+end - 1) }, end)).to.equal(false);
  });

  it('block the deletion of a content with 409 and the title until its last program has ended', async () => {
    const channelId = await schedule.castChannel();
    const boxId = await schedule.film(3600);
    await schedule.saved(channelId, 2, [entry(boxId, 2)]);
    const refused = bodyOf(409, await schedule.remove(`/api/box/${boxId}`));
    expect(refused.exception).to.equal('DataIntegrityViolationException');
    expect(refused.message).to.include('Licensed');
    bodyOf(204, await schedule.remove(schedule.dayPath(channelId, 2)));
    bodyOf(204, await schedule.remove(`/api/box/${boxId}`));
    const today = schedule.today(channelId);
    const short = await schedule.film(60);
    const times = { startDate: today.fromFree(0), endDate: today.fromFree(60) };
    bodyOf(200, await today.save({ ...times, programType: 'PRERECORDED', sourceId: short }));
    schedule.ctx.clock.advance((schedule.ctx.config.cast.freezeSeconds + 59) * 1000);
    bodyOf(409, await schedule.remove(`/api/box/${short}`));
    schedule.ctx.clock.advance(3_000);
    bodyOf(204, await schedule.remove(`/api/box/${short}`));
    const [over] = bodyOf(200, await schedule.get(today.path, undefined, today.headers)).programs;
    expect(over).to.not.have.property('boxContent');
    // The day can be saved as read.
    bodyOf(200, await today.save(over));
  });

  /** Runs the check of rights and returns the publisher's mails. */
  async function checked(): Promise<Mail[]> {
    const mails: Mail[] = [];
    const { outbox } = schedule.ctx;
    const add: Context['outbox']['add'] = async (tx, job, payload, options) => {
      if (job.name === 'user.notify') mails.push(payload as unknown as Mail);
      else await outbox.add(tx, job, payload, options);
    };
    await checkRights({ ...schedule.ctx, outbox: { ...outbox, add } });
    return mails.filter(({ userId }) => userId === schedule.publisher.userId);
  }
  interface Mail {
    readonly userId: string;
    readonly key: string;
    readonly values: Readonly<Record<string, string | number>>;
  }

  it('mail the owner once about a license that ends early, show the reason in the program, and recover after a renewal', async () => {
    await checked();
    const channelId = await schedule.castChannel();
    const boxId = await acquired({ licenseType: 'FREE', duration: 60, durationUnit: 'DAYS' });
    await schedule.saved(channelId, 2, [entry(boxId, 2)]);
    await schedule.saved(channelId, 4, [entry(boxId, 4), entry(boxId, 4, '11:00', '11:30')]);
    await schedule.saved(channelId, 30, [entry(boxId, 30)]);
    expect(await checked()).to.deep.equal([]);
    await expireAt(boxId, new Date(Date.parse(`${isoDate(3)}T00:00:00Z`)));
    const [mail, ...others] = await checked();
    expect(others).to.deep.equal([]);
    expect(mail?.key).to.equal('programsNotAired');
    expect(mail?.values).to.deep.equal({
      ...{ channel: 'Mountain channel', title: 'Licensed', count: 3 },
      date: new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date(`${isoDate(4)}T12:00:00`)),
      time: new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(new Date(2026, 0, 1, 10)) + ' (UTC)',
      reason: 'The license of this content ends before the program does.',
    });
    expect(schedule.ctx.translate('fr', 'mail.programsNotAired.text', mail?.values)).to.include('3 programmes');
    const messageOf = async (day: number) => (await dayOf(channelId, day))[0].message;
    expect(await messageOf(2)).to.equal(undefined);
    expect(await messageOf(4)).to.equal('The license of this content ends before the program does.');
    expect(await messageOf(30)).to.not.equal(undefined);
    expect(await checked()).to.deep.equal([]);
    // The day can be edited if this program is unchanged.
    const day = await schedule.read(channelId, 4);
    bodyOf(200, await schedule.post(schedule.dayPath(channelId, 4), day.body));
    expect(await messageOf(4)).to.not.equal(undefined);
    await expireAt(boxId, new Date(schedule.ctx.clock.now().getTime() + 20 * dayMs));
    expect(await checked()).to.deep.equal([]);
    expect(await messageOf(4)).to.equal(undefined);
    expect(await messageOf(30)).to.not.equal(undefined);
  });

  it('detect contents that are no longer READY or no longer the owner’s', async () => {
    const channelId = await schedule.castChannel();
    const [failed, gone] = [await schedule.film(3600), await schedule.film(3600)];
    await schedule.saved(channelId, 2, [entry(failed, 2), entry(gone, 2, '11:00', '11:30')]);
    const { db } = schedule.ctx;
    await db.change(
      `UPDATE contents SET state = 'FAILED' WHERE id = (SELECT content_id FROM box_items WHERE id = $failed)`,
      { failed },
    );
    await db.change('DELETE FROM box_items WHERE id = $gone', { gone });
    const mails = await checked();
    expect(mails.map(({ values }) => values['reason'])).to.have.members([
      'The content is not ready.',
      'You have no content with this id in your box.',
    ]);
    expect((await dayOf(channelId, 2)).filter(({ message }: { message?: string }) => message)).to.have.length(2);
  });
});
