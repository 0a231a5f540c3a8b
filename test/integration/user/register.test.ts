import { expect } from 'chai';
import { askToken, publicToken, registration, rejectedFields } from '../../support/api.js';
import { serviceFixture } from '../../support/fixtures.js';
import { registrationsPerHour } from '../../../shared/user/accountAttempts.js';
import { User } from '../../../shared/user/user.model.js';
import { changeRows } from '../../support/rows.js';

describe('POST /api/public/user/register', () => {
  const { ctx, api } = serviceFixture({
    MAIL_LINK_HOSTS: 'example.org, app.example.org',
    OAUTH_CLIENTS: 'app:@https://client.example.org',
  });
  let token: string;

  before(async () => {
    token = await publicToken(api);
  });

  const register = (overrides: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    api.call('POST', '/api/public/user/register', { token, headers, body: registration(overrides) });

  it('201: returns the user with defaults, who can log in at once', async () => {
    const { status, body } = await register({
      userCode: 'ada.lovelace',
      email: 'ada@example.org',
      language: 'it',
      birthDate: '10/12/1985',
    });
    expect(status).to.equal(201);
    expect(body).to.deep.equal({
      userCode: 'ada.lovelace',
      profile: {
        language: 'it',
        email: 'ada@example.org',
        firstName: 'Ada',
        lastName: 'Lovelace',
        birthDate: '10/12/1985',
      },
      finance: { billingAddress: {} },
      features: { transcoderNotifyEnabled: false, vodPublic: true },
    });
    expect(
      (await askToken(api, { grant_type: 'password', username: 'ada.lovelace', password: 'correct horse' })).status,
    ).to.equal(200);
  });

  const adultSince = (days: number): string => {
    const date = new Date(ctx.clock.now());
    date.setUTCFullYear(date.getUTCFullYear() - 18);
    date.setUTCDate(date.getUTCDate() + days);
    return [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()]
      .map((part) => String(part).padStart(2, '0'))
      .join('/');
  };

  it('201: accepts a user whose 18th birthday is today, unknown members, and booleans as text', async () => {
    const accepted = {
      birthDate: adultSince(0),
      conditionsAccepted: 'true',
      state: 'ADMIN',
      id: '1',
      passwordHash: 'x',
    };
    expect((await register(accepted)).status).to.equal(201);
    expect((await register({ birthDate: '1985-12-10' })).body.profile.birthDate).to.equal('10/12/1985');
  });

  it('returns 400 that names the invalid member', async () => {
    const links = [
      ...['https://example.org/', 'javascript:alert(1)//${token}', 'https://${token}.example.org/'],
      ...['https://a:b@example.org/${token}', 'https://example.org/ https://phishing.test/?t=${token}'],
      // Programs interpret a backslash differently.
      'https://example.org\\@phishing.test/${token}',
    ];
    const rows: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ userCode: 'abc' }, 'userCode tooShort'],
      [{ userCode: 'a'.repeat(51) }, 'userCode tooLong'],
      ...['1abcd', 'abcd.1x', 'ab..cd', 'abcd\n'].map((userCode) => [{ userCode }, 'userCode userCodeForm'] as const),
      [{ userCode: 12_345 }, 'userCode text'],
      [{ userCode: null }, 'userCode required'],
      [{ password: '1234567', passwordConfirm: '1234567' }, 'password tooShort'],
      [{ passwordConfirm: 'correct horsf' }, 'passwordConfirm equal'],
      [{ firstName: '   ' }, 'firstName blank'],
      [{ lastName: 'x'.repeat(65) }, 'lastName tooLong'],
      ...['31/02/1980', '1980/01/01'].map((birthDate) => [{ birthDate }, 'birthDate date'] as const),
      [{ birthDate: adultSince(1) }, 'birthDate adult'],
      ...['ada@', 'ada@example.org\nBcc: x@example.org'].map((email) => [{ email }, 'email email'] as const),
      [{ email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.org` }, 'email tooLong'],
      [{ language: ' ' }, 'language blank'],
      [{ conditionsAccepted: false }, 'conditionsAccepted conditions'],
      [{ conditionsAccepted: null }, 'conditionsAccepted required'],
      ...links.map((activationUrl) => [{ activationUrl }, 'activationUrl tokenTemplate'] as const),
      [{ activationUrl: 'https://phishing.test/?t=${token}' }, 'activationUrl linkHost'],
      [{ firstName: 'A\0da' }, 'firstName characters'],
      [{ lastName: 'Byron\n\nGo to example.org' }, 'lastName characters'],
    ];
    for (const [overrides, rejected] of rows)
      expect(rejectedFields(await register(overrides)), JSON.stringify(overrides)).to.deep.equal([rejected]);
  });

  it('returns 400 with all errors, in the caller’s language, without the password', async () => {
    const { status, body, text } = await api.call('POST', '/api/public/user/register', {
      token,
      headers: { 'accept-language': 'fr-CH, en;q=0.5' },
      body: { password: 'hunter2', passwordConfirm: 'hunter3', email: 'nowhere' },
    });
    expect(status).to.equal(400);
    expect(body).to.include({
      status: 400,
      error: 'Bad Request',
      path: '/api/public/user/register',
      message: '« userCode » est obligatoire.',
    });
    expect(body.timestamp).to.equal(ctx.clock.now().getTime());
    expect(body.errors).to.have.length(9);
    expect(body.errors).to.deep.include({
      field: 'email',
      code: 'email',
      defaultMessage: 'L’adresse e-mail n’est pas valide.',
      rejectedValue: 'nowhere',
    });
    expect(text).not.to.include('hunter');
  });

  it('returns 400 for a used user code, in any case', async () => {
    await register({ userCode: 'grace.hopper' });
    const response = await register({ userCode: 'GRACE.Hopper' });
    expect(rejectedFields(response)).to.deep.equal(['userCode taken']);
  });

  for (const [mode, members] of [
    ['with activation', { activationUrl: 'https://example.org/${token}' }],
    ['active at once', {}],
  ] as const) {
    it(`201: returns the same for a known e-mail as for an unknown one, ${mode}`, async () => {
      const owner = registration({ email: `known.${mode.length}@example.org` });
      await api.call('POST', '/api/public/user/register', { token, body: owner });
      if (mode === 'with activation')
        await changeRows(ctx, User, { userCode: String(owner['userCode']) }, { state: 'ACTIVE' });
      const responseTo = async (email: string) => {
        const body = registration({ ...members, userCode: `guess${email.length}.x${mode.length}`, email });
        const response = await api.call('POST', '/api/public/user/register', { token, body });
        return { ...response, registered: body };
      };
      const known = await responseTo(String(owner['email']).toUpperCase());
      const unknown = await responseTo(`unknown.${mode.length}@example.org`);
      const shown = ({ text, registered }: typeof known) =>
        text.replace(String(registered['email']), '').replace(String(registered['userCode']), '');
      expect([known.status, shown(known)]).to.deep.equal([201, shown(unknown)]);
      // Both user codes are in use, so that they do not show what the response hides.
      for (const { registered } of [known, unknown])
        expect(rejectedFields(await register({ userCode: registered['userCode'] }))).to.deep.equal(['userCode taken']);
      const login = {
        grant_type: 'password',
        username: String(known.registered['userCode']),
        password: 'correct horse',
      };
      expect((await askToken(api, login)).body).to.deep.equal({
        error: 'invalid_grant',
        error_description: 'Bad credentials',
      });
    });
  }

  it('accepts one of many concurrent registrations per user code, and activates one per e-mail', async () => {
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map((number) => register({ userCode: 'race.winner', email: `race${number}@example.org` })),
    );
    expect(responses.map(({ status }) => String(status)).toSorted()).to.deep.equal(['201', '400', '400', '400', '400']);
    for (const response of responses.filter(({ status }) => status === 400))
      expect(rejectedFields(response)).to.deep.equal(['userCode taken']);
    const sameAddress = await Promise.all([1, 2, 3].map(() => register({ email: 'race@example.org' })));
    expect(sameAddress.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
    const states = await ctx.db.rows<{ state: string }>(
      "SELECT state FROM users WHERE email = 'race@example.org' ORDER BY state",
    );
    expect(states.map(({ state }) => state)).to.deep.equal(['ACTIVE', 'PENDING', 'PENDING']);
  });
});

describe('POST /api/public/user/register from one address', () => {
  const { ctx, api } = serviceFixture({}, { limits: [[registrationsPerHour, 4]] });

  it('returns 429 above the registrations per hour, including used names and concurrent ones, but not invalid ones', async () => {
    const register = async (body: Record<string, unknown> = registration()) =>
      api.call('POST', '/api/public/user/register', { token: await publicToken(api), body });
    expect((await register({})).status).to.equal(400);
    const first = registration();
    expect((await register(first)).status).to.equal(201);
    expect((await register(first)).status).to.equal(400);
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => register()));
    expect(responses.map(({ status }) => status)).to.have.members([201, 201, 429, 429, 429]);
    const { headers, body } = responses.find(({ status }) => status === 429)!;
    expect(Number(headers.get('retry-after'))).to.be.within(1, 3600);
    expect(body).to.include({ status: 429, exception: 'TooManyRequestsException' });
    ctx.clock.advance(3_600_001);
    expect((await register()).status).to.equal(201);
  });
});
