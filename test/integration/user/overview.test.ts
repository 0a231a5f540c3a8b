import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { recordStoredBytes } from '../../../shared/license/usage.service.js';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { serviceFixture } from '../../support/service.js';
import { setQuota } from '../../support/licenses.js';
import { fixtureEach } from '../../support/fixtures.js';

const dayMs = 86_400_000;
const gigabyte = 1024 ** 3;

describe('GET /api/user/me/overview', () => {
  const { ctx, api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const overview = async (headers: Record<string, string> = {}) => {
    const { status, body, text } = await api.call('GET', '/api/user/me/overview', { token: user.token, headers });
    expect(status, text).to.equal(200);
    return body;
  };
  const quota = (planId: number, activatedDays: number, expiresDays: number) =>
    setQuota(ctx, user.userId, {
      planId,
      activatedAt: new Date(ctx.clock.now().getTime() + activatedDays * dayMs),
      expiresAt: new Date(ctx.clock.now().getTime() + expiresDays * dayMs),
    });

  it('200: returns the defaults of a new user', async () => {
    const now = ctx.clock.now();
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await overview()).to.deep.equal({
      userCode: user.userCode,
      licenseName: 'Free',
      licenseExpired: false,
      availableRenews: 0,
      renewDate: [nextMonth.getUTCFullYear(), nextMonth.getUTCMonth() + 1, 1],
      videosCount: 0,
      storage: '0,00',
      band: '0,00',
      storagePercent: '0,00',
      bandPercent: '0,00',
      usage: {
        originalBytes: 0,
        renditionBytes: 0,
        thumbnailBytes: 0,
        reservedBytes: 0,
        storageLimitBytes: gigabyte,
        bandBytes: 0,
        bandLimitBytes: 5 * gigabyte,
        uploads: 0,
        uploadLimit: 100,
        mediaMinutes: 0,
        mediaMinutesLimit: 3000,
        streamingMinutes: 0,
        streamingMinutesLimit: 600,
      },
    });
  });

  it('200: counts videos, and lists the parts of the used storage', async () => {
    await seedBoxItem(ctx, user.userId);
    await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    await seedBoxItem(ctx, (await registerUser(api)).userId);
    await ctx.db.transaction(async (tx) => {
      await recordStoredBytes(ctx, tx, user.userId, 'originals', 0.25 * gigabyte);
      await recordStoredBytes(ctx, tx, user.userId, 'renditions', 0.5 * gigabyte);
      await recordStoredBytes(ctx, tx, user.userId, 'thumbnails', 1024);
    });
    await recordBand(ctx, new Map([[user.userId, 1.25 * gigabyte]]));
    const body = await overview();
    expect(body).to.include({
      videosCount: 2,
      storage: '0,75',
      storagePercent: '75,00',
      band: '1,25',
      bandPercent: '25,00',
    });
    expect(body.usage).to.include({
      originalBytes: 0.25 * gigabyte,
      renditionBytes: 0.5 * gigabyte,
      thumbnailBytes: 1024,
      bandBytes: 1.25 * gigabyte,
      uploads: 1,
    });
    await ctx.db.transaction((tx) => recordStoredBytes(ctx, tx, user.userId, 'renditions', 3 * gigabyte));
    expect(await overview()).to.include({ storage: '3,75', storagePercent: '375,00' });
  });

  it('200: returns the remaining days of a license, and the name of an expired one', async () => {
    await quota(4, -10.5, 3.2);
    expect(await overview()).to.include({
      licenseName: 'Professional',
      licenseExpired: false,
      daysFromActivation: 10,
      daysToExpiration: 4,
    });
    await quota(4, -40, -1);
    const body = await overview();
    expect(body).to.include({ licenseName: 'Professional', licenseExpired: true, daysToExpiration: 0 });
    expect(body.usage.storageLimitBytes).to.equal(gigabyte);
  });

  it('200: returns finance data in the caller’s language, without empty members', async () => {
    const { body: me } = await api.call('GET', '/api/user/me', { token: user.token });
    await api.call('POST', '/api/user/me', {
      token: user.token,
      body: {
        ...me,
        finance: {
          paypalEmail: 'pay@example.org',
          vatNumber: 'IT123',
          taxCode: 'TC1',
          billingAddress: { country: 'DE', city: 'Köln' },
        },
        features: { livePassword: 'sécret' },
      },
    });
    expect(await overview({ 'accept-language': 'it' })).to.deep.include({
      paypalEmail: 'pay@example.org',
      vatNumber: 'IT123',
      taxCode: 'TC1',
      billingAddress: { country: 'DE', countryName: 'Germania', city: 'Köln' },
      livePassword: 'sécret',
    });
  });

  it('200: formats dates in the caller’s time zone', async () => {
    const utc = await overview();
    const west = await overview({ 'x-service-timezone': '-3600000' });
    expect((await overview({ 'x-service-timezone': 'Etc/GMT+1' })).renewDate).to.deep.equal(west.renewDate);
    const date = ([year, month, day]: number[]) => Date.UTC(year ?? 0, (month ?? 1) - 1, day);
    expect(date(utc.renewDate) - date(west.renewDate)).to.equal(dayMs);
  });
});
