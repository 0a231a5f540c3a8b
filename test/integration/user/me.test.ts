import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { publicToken, registerUser, rejectedFields } from '../../support/api.js';
import { serviceFixture, fixtureEach } from '../../support/fixtures.js';
import { makeThumbnail, storedRows, seedBoxItem } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { recordBand } from '../../../shared/license/band.service.js';
import { recordStoredBytes } from '../../../shared/license/usage.service.js';
import { setQuota } from '../../support/licenses.js';

describe('GET and POST /api/user/me', () => {
  const { ctx, api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));
  afterEach(() => sinon.restore());

  const read = async () => (await api.call('GET', '/api/user/me', { token: user.token })).body;
  const update = (body: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', '/api/user/me', { token: user.token, body, headers });
  const minimal = () => ({
    profile: { firstName: 'Ada', lastName: 'Byron', birthDate: '10/12/1985', email: `${user.userCode}@example.org` },
  });

  it('200: accepts a complete object as read', async () => {
    const account = await read();
    expect((await update(account)).body).to.deep.equal(account);
  });

  it('200: changes everything at once, encrypts the live password, and returns the stored values', async () => {
    const marked = sinon.spy(ctx.search, 'markDirty');
    const { status, body } = await update(
      {
        profile: {
          ...minimal().profile,
          language: 'es',
          pageTitle: ' My page ',
          pageDescription: 'Videos',
          facebookUrl: 'https://facebook.com/ada',
          twitterContact: '@ada',
          linkedinUrl: 'linkedin.com/in/ada',
        },
        finance: {
          paypalEmail: 'pay@example.org',
          companyName: 'Engines',
          companyConfirm: 'true',
          vatNumber: 'IT123',
          taxCode: 'TC1',
          billingAddress: { country: 'it', city: 'Roma', zipCode: '00100' },
        },
        features: { transcoderNotifyEnabled: 'true', vodPublic: false, livePassword: 'sécret' },
      },
      { 'accept-language': 'it' },
    );
    expect(status).to.equal(200);
    sinon.assert.calledOnceWithExactly(marked, sinon.match.object, 'user', user.userId);
    const [row] = await storedRows(ctx, User, { id: user.userId });
    expect(row?.livePassword).to.match(/^v1\./).and.not.include('sécret');
    expect(body.profile).to.include({
      language: 'es',
      pageTitle: 'My page',
      lastName: 'Byron',
      linkedinUrl: 'linkedin.com/in/ada',
    });
    expect(body.finance).to.deep.equal({
      paypalEmail: 'pay@example.org',
      companyName: 'Engines',
      vatNumber: 'IT123',
      taxCode: 'TC1',
      billingAddress: { country: 'IT', countryName: 'Italia', city: 'Roma', zipCode: '00100' },
    });
    expect(body.features).to.deep.equal({ transcoderNotifyEnabled: true, vodPublic: false, livePassword: 'sécret' });
    expect((await read()).finance.billingAddress.countryName).to.equal('Italy');
    await update({ ...minimal(), finance: { billingAddress: { country: "côte d'ivoire" } } });
    expect((await read()).finance.billingAddress).to.deep.equal({ country: 'CI', countryName: 'Côte d’Ivoire' });
  });

  it('200: clears omitted texts of a sent part, and keeps booleans, the live password and omitted parts', async () => {
    await update({
      profile: { ...minimal().profile, pageTitle: 'Page' },
      finance: { vatNumber: 'IT123', companyName: 'Engines' },
      features: { vodPublic: false, livePassword: 'secret' },
    });
    const { body } = await update({
      profile: { ...minimal().profile, pageTitle: null },
      finance: { companyName: 'Engines' },
      features: { transcoderNotifyEnabled: true },
    });
    expect(body.profile).not.to.have.property('pageTitle');
    expect(body.profile.language).to.equal('en');
    expect(body.finance).to.deep.equal({ companyName: 'Engines', billingAddress: {} });
    expect(body.features).to.deep.equal({ transcoderNotifyEnabled: true, vodPublic: false, livePassword: 'secret' });
    const kept = await update(minimal());
    expect(kept.body.finance.companyName).to.equal('Engines');
    expect((await update({ ...minimal(), features: { livePassword: '' } })).body.features).not.to.have.property(
      'livePassword',
    );
  });

  it('200: without a complete profile, changes only the members sent, also concurrently', async () => {
    const complete = {
      profile: { ...minimal().profile, language: 'es', pageTitle: 'Page', twitterContact: '@ada' },
      finance: { vatNumber: 'IT123', billingAddress: { country: 'IT', city: 'Roma' } },
      features: { vodPublic: false, transcoderNotifyEnabled: true },
    };
    const before = (await update(complete)).body;
    const changes = [
      { features: { livePassword: 'secret' } },
      { profile: { pageTitle: 'Other', twitterContact: '' } },
      { finance: { billingAddress: { city: '', zipCode: '00100' } } },
      { finance: { taxCode: 'TC1' } },
    ];
    for (const { status } of await Promise.all(changes.map((body) => update(body)))) expect(status).to.equal(200);
    const { twitterContact: _contact, ...profile } = before.profile;
    const { city: _city, ...address } = before.finance.billingAddress;
    expect(await read()).to.deep.equal({
      ...before,
      profile: { ...profile, pageTitle: 'Other' },
      finance: { ...before.finance, taxCode: 'TC1', billingAddress: { ...address, zipCode: '00100' } },
      features: { ...before.features, livePassword: 'secret' },
    });
    const cleared = (await update({ finance: { vatNumber: '', taxCode: '' }, features: { livePassword: '' } })).body;
    expect(cleared.finance).to.have.all.keys('billingAddress');
    expect(cleared.features).to.deep.equal({ vodPublic: false, transcoderNotifyEnabled: true });
  });

  it('returns 400 that names the invalid member', async () => {
    const inProfile = (members: object) => ({ profile: { ...minimal().profile, ...members } });
    const foreign = await makeThumbnail(ctx, (await registerUser(api)).userId);
    const rows: readonly (readonly [object, string])[] = [
      [{}, 'profile required'],
      [{ profile: [] }, 'profile object'],
      [inProfile({ email: '' }), 'profile.email blank'],
      [inProfile({ facebookUrl: 'javascript:alert(1)' }), 'profile.facebookUrl webAddress'],
      [inProfile({ thumbnailId: randomUUID() }), 'profile.thumbnailId thumbnail'],
      [inProfile({ thumbnailId: foreign }), 'profile.thumbnailId thumbnail'],
      [inProfile({ thumbnailId: '1' }), 'profile.thumbnailId id'],
      [inProfile({ birthDate: '01/01/2020' }), 'profile.birthDate adult'],
      [{ ...minimal(), finance: { billingAddress: { country: 'XX' } } }, 'finance.billingAddress.country country'],
    ];
    for (const [body, rejected] of rows) expect(rejectedFields(await update(body))[0]).to.equal(rejected);
    const own = await makeThumbnail(ctx, user.userId);
    expect((await update(inProfile({ thumbnailId: own }))).body.profile.thumbnailId).to.equal(own);
  });

  describe('GET /api/public/user/:userCode/overview', () => {
    it('200: returns the public data of a user, and nothing else', async () => {
      await update({
        profile: { ...minimal().profile, pageTitle: 'Page', facebookUrl: 'https://facebook.com/ada' },
        features: { livePassword: 'secret' },
      });
      const { status, body } = await api.call('GET', `/api/public/user/${user.userCode.toUpperCase()}/overview`, {
        token: await publicToken(api),
      });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        userCode: user.userCode,
        licenseExpired: false,
        pageTitle: 'Page',
        facebookUrl: 'https://facebook.com/ada',
      });
    });
  });
});

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
});
