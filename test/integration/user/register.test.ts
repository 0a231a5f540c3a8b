import { expect } from 'chai';
import { askToken, publicToken, registration } from '../../support/api.js';
import { rejectedFields } from '../../support/responses.js';
import { serviceFixture } from '../../support/service.js';
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

  it('201: responds with the user and its defaults; the user can log in at once', async () => {
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

  it('201: ignores unknown members, and accepts booleans as text', async () => {
    expect(
      (await register({ conditionsAccepted: 'true', state: 'ADMIN', id: '1', passwordHash: 'x' })).status,
    ).to.equal(201);
  });

  const adultSince = (days: number): string => {
    const date = new Date(ctx.clock.now());
    date.setUTCFullYear(date.getUTCFullYear() - 18);
    date.setUTCDate(date.getUTCDate() + days);
    return [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()]
      .map((part) => String(part).padStart(2, '0'))
      .join('/');
  };

  it('201: accepts a user who becomes 18 today', async () => {
    expect((await register({ birthDate: adultSince(0) })).status).to.equal(201);
    expect((await register({ birthDate: '1985-12-10' })).body.profile.birthDate).to.equal('10/12/1985');
  });

  const invalidRequests: readonly (readonly [string, () => Record<string, unknown>, string, string])[] = [
    ['a short user code', () => ({ userCode: 'abc' }), 'userCode', 'tooShort'],
    ['a long user code', () => ({ userCode: 'a'.repeat(51) }), 'userCode', 'tooLong'],
    ['a user code with a digit first', () => ({ userCode: '1abcd' }), 'userCode', 'userCodeForm'],
    ['a user code with a digit after a point', () => ({ userCode: 'abcd.1x' }), 'userCode', 'userCodeForm'],
    ['a user code with two points', () => ({ userCode: 'ab..cd' }), 'userCode', 'userCodeForm'],
    ['a user code with a line break', () => ({ userCode: 'abcd\n' }), 'userCode', 'userCodeForm'],
    ['a user code that is no text', () => ({ userCode: 12_345 }), 'userCode', 'text'],
    ['no user code', () => ({ userCode: null }), 'userCode', 'required'],
    ['a short password', () => ({ password: '1234567', passwordConfirm: '1234567' }), 'password', 'tooShort'],
    ['another confirmation', () => ({ passwordConfirm: 'correct horsf' }), 'passwordConfirm', 'equal'],
    ['a blank name', () => ({ firstName: '   ' }), 'firstName', 'blank'],
    ['a long name', () => ({ lastName: 'x'.repeat(65) }), 'lastName', 'tooLong'],
    ['a day that does not exist', () => ({ birthDate: '31/02/1980' }), 'birthDate', 'date'],
    ['a date in another form', () => ({ birthDate: '1980/01/01' }), 'birthDate', 'date'],
    ['an age of 18 tomorrow', () => ({ birthDate: adultSince(1) }), 'birthDate', 'adult'],
    ['a broken address', () => ({ email: 'ada@' }), 'email', 'email'],
    ['a long address', () => ({ email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.org` }), 'email', 'tooLong'],
    ['an address with a header in it', () => ({ email: 'ada@example.org\nBcc: x@example.org' }), 'email', 'email'],
    ['a blank language', () => ({ language: ' ' }), 'language', 'blank'],
    ['conditions not accepted', () => ({ conditionsAccepted: false }), 'conditionsAccepted', 'conditions'],
    ['no word about conditions', () => ({ conditionsAccepted: null }), 'conditionsAccepted', 'required'],
    [
      'an activation address without ${token}',
      () => ({ activationUrl: 'https://example.org/' }),
      'activationUrl',
      'tokenTemplate',
    ],
    [
      'an activation script',
      () => ({ activationUrl: 'javascript:alert(1)//${token}' }),
      'activationUrl',
      'tokenTemplate',
    ],
    [
      'a token in the host',
      () => ({ activationUrl: 'https://${token}.example.org/' }),
      'activationUrl',
      'tokenTemplate',
    ],
    [
      'credentials in the address',
      () => ({ activationUrl: 'https://a:b@example.org/${token}' }),
      'activationUrl',
      'tokenTemplate',
    ],
    [
      'two addresses in one',
      () => ({ activationUrl: 'https://example.org/ https://phishing.test/?t=${token}' }),
      'activationUrl',
      'tokenTemplate',
    ],
    [
      'a backslash, which programs read differently',
      () => ({ activationUrl: 'https://example.org\\@phishing.test/${token}' }),
      'activationUrl',
      'tokenTemplate',
    ],
    ['another host', () => ({ activationUrl: 'https://phishing.test/?t=${token}' }), 'activationUrl', 'linkHost'],
    ['a text that cannot be stored', () => ({ firstName: 'A\0da' }), 'firstName', 'characters'],
    ['a name of several lines', () => ({ lastName: 'Byron\n\nGo to example.org' }), 'lastName', 'characters'],
  ];
  for (const [what, overrides, field, code] of invalidRequests) {
    it(`400: rejects ${what}`, async () => {
      const { status, body } = await register(overrides());
      expect(status).to.equal(400);
      expect(body.exception).to.equal('ValidationException');
      expect(body.errors.map((error: { field: string; code: string }) => [error.field, error.code])).to.deep.equal([
        [field, code],
      ]);
    });
  }

  it('400: reports everything at once, in the caller’s language, without the password', async () => {
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

  it('201: accepts links to the origins of clients and to the service itself', async () => {
    for (const host of ['https://client.example.org', 'http://127.0.0.1:8080', 'http://localhost'])
      expect((await register({ activationUrl: `${host}/?t=\${token}` })).status, host).to.equal(201);
  });

  it('400: rejects a taken user code, in any case', async () => {
    await register({ userCode: 'grace.hopper' });
    const response = await register({ userCode: 'GRACE.Hopper' });
    expect(rejectedFields(response)).to.deep.equal(['userCode taken']);
  });

  for (const [mode, members] of [
    ['with activation', { activationUrl: 'https://example.org/${token}' }],
    ['active at once', {}],
  ] as const) {
    it(`201: a known e-mail is answered like an unknown one, and as late: ${mode}`, async () => {
      const owner = registration({ email: `known.${mode.length}@example.org` });
      await api.call('POST', '/api/public/user/register', { token, body: owner });
      if (mode === 'with activation')
        await changeRows(ctx, User, { userCode: String(owner['userCode']) }, { state: 'ACTIVE' });
      const responseTo = async (email: string) => {
        const body = registration({ ...members, userCode: `guess${email.length}.x${mode.length}`, email });
        const start = performance.now();
        const response = await api.call('POST', '/api/public/user/register', { token, body });
        return { ...response, milliseconds: performance.now() - start, given: body };
      };
      const known = await responseTo(String(owner['email']).toUpperCase());
      const unknown = await responseTo(`unknown.${mode.length}@example.org`);
      const shown = ({ text, given }: typeof known) =>
        text.replace(String(given['email']), '').replace(String(given['userCode']), '');
      expect([known.status, shown(known)]).to.deep.equal([201, shown(unknown)]);
      // A large difference means that one of them skips the hash.
      expect(known.milliseconds).to.be.above(unknown.milliseconds / 5);
      // The user code is taken by either, so that it does not show what the response hides.
      for (const { given } of [known, unknown])
        expect(rejectedFields(await register({ userCode: given['userCode'] }))).to.deep.equal(['userCode taken']);
      const login = { grant_type: 'password', username: String(known.given['userCode']), password: 'correct horse' };
      expect((await askToken(api, login)).body).to.deep.equal({
        error: 'invalid_grant',
        error_description: 'Bad credentials',
      });
    });
  }

  it('of many equal registrations at the same time, one gets the user code, and one the e-mail', async () => {
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

  it('401: needs a token', async () => {
    expect((await api.call('POST', '/api/public/user/register', { body: registration() })).status).to.equal(401);
  });
});
