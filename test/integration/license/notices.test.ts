import { expect } from 'chai';
import { sendNotices } from '../../../shared/license/notices.service.js';
import { storedMailNames, mailFolder, readStoredMail } from '../../../shared/platform/mail/mailFiles.js';
import { noticeLicenses } from '../../../shared/license/license.jobs.js';
import { openTestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { createUser, disableUser } from '../../support/users.js';
import { startWorkers } from '../../support/workers.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { quotaMonth, setQuota } from '../../support/licenses.js';
import { fixtureEach } from '../../support/fixtures.js';
import { LicensePlan } from '../../../shared/license/license.model.js';

const dayMs = 86_400_000;
const gigabyte = 1024 ** 3;

interface Notice {
  readonly userId: string;
  readonly key: string;
  readonly values: Record<string, string | number>;
}

describe('notices about licenses', () => {
  const ctx = fixtureEach(openTestContext);
  let userId: string;

  beforeEach(async () => {
    userId = await createUser(ctx);
  });

  const fromNow = (days: number): Date => new Date(ctx.clock.now().getTime() + days * dayMs);
  const quota = (
    columns: { plan?: number; days?: number; stored?: number; band?: number; streamed?: number },
    id = userId,
  ) =>
    setQuota(ctx, id, {
      planId: columns.plan ?? 1,
      expiresAt: columns.days === undefined ? null : fromNow(columns.days),
      renditionBytes: columns.stored ?? 0,
      bandMonth: quotaMonth(ctx),
      bandBytes: columns.band ?? 0,
      streamingMonth: quotaMonth(ctx),
      streamingSeconds: columns.streamed ?? 0,
    });
  const notice = () => sendNotices(ctx, new AbortController().signal);

  /** Mail jobs enqueued since the previous call. */
  async function asked(): Promise<Notice[]> {
    const rows = await ctx.db.rows<{ payload: Notice }>(
      "DELETE FROM outbox WHERE job = 'user.notify' RETURNING payload",
    );
    return rows.map(({ payload: { userId: about, key, values } }) => ({ userId: about, key, values }));
  }

  // No worker may run the mail jobs before they are read.
  beforeEach(() => ctx.outbox.close());

  it('are mailed once a week before the end and once at the end, and again for the next end', async () => {
    await quota({ plan: 2, days: 8 });
    expect(await notice()).to.equal(0);
    ctx.clock.advance(dayMs);
    await Promise.all([notice(), notice(), notice()]);
    const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(fromNow(7));
    expect(await asked()).to.deep.equal([{ userId, key: 'licenseExpiring', values: { name: 'Entry', date } }]);
    ctx.clock.advance(7 * dayMs - 1000);
    expect(await notice()).to.equal(0);
    ctx.clock.advance(1000);
    expect(await notice()).to.equal(1);
    expect(await notice()).to.equal(0);
    expect(await asked()).to.deep.equal([{ userId, key: 'licenseExpired', values: { name: 'Entry', date } }]);
    await quota({ plan: 2, days: 3 });
    await notice();
    expect((await asked()).map(({ key }) => key)).to.deep.equal(['licenseExpiring']);
  });

  it('are mailed once a month at 80 percent of storage and of traffic, by the limits in force', async () => {
    await quota({ stored: Math.floor(0.8 * gigabyte), band: 4 * gigabyte - 1 });
    expect(await notice()).to.equal(0);
    await quota({ stored: Math.ceil(0.8 * gigabyte), band: 4 * gigabyte });
    expect(await notice()).to.equal(2);
    expect(await asked()).to.deep.equal([
      { userId, key: 'storageNearlyFull', values: { name: 'Free', gigabytes: 1, percent: 80 } },
      { userId, key: 'bandNearlyUsed', values: { name: 'Free', gigabytes: 5, percent: 80 } },
    ]);
    expect(await notice()).to.equal(0);
    ctx.clock.advance(32 * dayMs);
    await notice();
    expect((await asked()).map(({ key }) => key)).to.deep.equal(['storageNearlyFull']);
    const rich = await createUser(ctx);
    await quota({ plan: 5, days: 100, stored: gigabyte, band: 5 * gigabyte }, rich);
    expect(await notice()).to.equal(0);
  });

  it('are mailed once a month at 80 percent of the streaming hours, never for an unlimited plan', async () => {
    await quota({ streamed: 8 * 3600 - 1 });
    expect(await notice()).to.equal(0);
    await quota({ streamed: 8 * 3600 });
    await notice();
    expect(await asked()).to.deep.equal([
      { userId, key: 'streamingNearlyUsed', values: { name: 'Free', hours: 10, percent: 80 } },
    ]);
    expect(await notice()).to.equal(0);
    await changeRow(ctx, LicensePlan, 3, { streamingAmount: 0 });
    const unlimited = await createUser(ctx);
    await quota({ plan: 3, days: 100, streamed: 1e9 }, unlimited);
    expect(await notice()).to.equal(0);
  });

  it('compare an expired license with the limits of Free, and skip old expiries and disabled accounts', async () => {
    await quota({ plan: 2, days: -8 });
    const closed = await createUser(ctx);
    await quota({ plan: 2, days: 3, stored: 8 * gigabyte }, closed);
    await disableUser(ctx, closed);
    expect(await notice()).to.equal(0);
    await quota({ plan: 5, days: -1, stored: gigabyte });
    await notice();
    const mails = await asked();
    expect(mails.map(({ key, values }) => [key, values['name']])).to.deep.equal([
      ['licenseExpired', 'Business'],
      ['storageNearlyFull', 'Free'],
    ]);
  });

  it('reach more than one batch of users', async () => {
    await ctx.db.change(
      `WITH many AS (
         INSERT INTO users (id, user_code, password_hash, state, language, email, first_name, last_name, birth_date, last_activity_at, created_at, updated_at)
         SELECT gen_random_uuid(), 'many' || n, '', 'ACTIVE', 'en', n || '@example.org', 'A', 'B', '1980-01-01', now(), now(), now()
           FROM generate_series(1, 1200) AS n RETURNING id)
       INSERT INTO quotas (user_id, rendition_bytes) SELECT id, ${gigabyte} FROM many`,
    );
    expect(await notice()).to.equal(1200);
    expect(await notice()).to.equal(0);
    expect(new Set((await asked()).map(({ userId: id }) => id)).size).to.equal(1200);
  });

  it('reach all users except one with an error, who is retried later', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createUser(ctx)));
    // The sum is out of the column's range: an invalid row.
    await setQuota(ctx, userId, { originalBytes: 9e18, renditionBytes: 9e18 });
    for (const id of others) await quota({ stored: gigabyte }, id);
    expect(await notice()).to.equal(3);
    expect(new Set((await asked()).map(({ userId: id }) => id))).to.deep.equal(new Set(others));
    expect(await notice()).to.equal(0);
    await setQuota(ctx, userId, { originalBytes: gigabyte, renditionBytes: 0, examineAt: fromNow(1 / 24) });
    expect(await notice()).to.equal(1);
  });
});

describe('the mail of a notice', () => {
  it('is sent by the scheduled job, in the user’s language', async () => {
    const ctx = await openTestContext();
    const workers = await startWorkers(ctx, { queues: ['mail', 'sweeps'] });
    try {
      const userId = await createUser(ctx);
      await changeRow(ctx, User, userId, { language: 'fr' });
      await setQuota(ctx, userId, { renditionBytes: gigabyte });
      await ctx.db.transaction((tx) => ctx.outbox.add(tx, noticeLicenses, {}));
      const mail = await eventually(async () => {
        const [name = ''] = await storedMailNames(mailFolder(ctx.config));
        const found = await readStoredMail(mailFolder(ctx.config), name);
        if (!found) throw new Error('no mail yet');
        return found;
      });
      expect(mail.subject).to.equal('Votre espace est plein à 100 %');
      expect(mail.text).to.include('100 % des 1 Go d’espace').and.not.include('{{');
    } finally {
      await workers.close();
      await ctx.close();
    }
  });
});
