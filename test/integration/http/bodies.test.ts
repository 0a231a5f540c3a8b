import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { languages } from '../../../shared/platform/i18n.js';
import { registerUser } from '../../support/api.js';
import { rawRequest } from '../../support/rawRequest.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';

describe('request bodies', () => {
  const { api } = serviceFixture();
  const user = useFixture(() => registerUser(api));

  const profile = () => ({
    firstName: 'Ada',
    lastName: 'Byron',
    birthDate: '10/12/1985',
    email: `${user.userCode}@example.org`,
  });
  const post = (body: string, headers: Record<string, string> = {}, path = '/api/user/me') =>
    api.call('POST', path, { token: user.token, body, headers });

  it('are read as JSON with any content type', async () => {
    const utf8 = 'application/json;charset=utf-8';
    for (const type of [
      ...['application/json', 'application/json;charset=UTF-8', 'application/json; charset=ISO-8859-1', 'text/plain'],
      ...['application/json, application/json', `${utf8}, ${utf8}`, 'application/x-www-form-urlencoded'],
      ...['application/octet-stream', 'nonsense', ';;;'],
    ]) {
      const sent = JSON.stringify({ profile: { ...profile(), pageTitle: 'é' } });
      const { status, body } = await post(sent, { 'content-type': type });
      expect([status, body.profile?.pageTitle], type).to.deep.equal([200, 'é']);
    }
  });

  it('are accepted with two Content-Type headers, and with Content-Type on GET', async () => {
    const text = JSON.stringify({ profile: profile() });
    const type = ['content-type', 'application/json'];
    const headers = ['authorization', `Bearer ${user.token}`, ...type, ...type];
    const statusOf = async (method: string, body?: string) =>
      (await rawRequest(api, { method, path: '/api/user/me', headers, ...(body === undefined ? {} : { body }) }))
        .status;
    expect([await statusOf('POST', text), await statusOf('GET'), await statusOf('GET', '{broken')]).to.deep.equal([
      ...[200, 200, 200],
    ]);
  });

  it('count as {} if they are blank, null or empty, also as a string with JSON', async () => {
    for (const body of ['', ' \r\n', 'null', '{}', '""', '" "', '"null"', '"{}"']) {
      const required = { field: 'profile', code: 'required', defaultMessage: 'A value is required.' };
      expect((await post(body)).body.errors, body).to.deep.equal([required]);
    }
  });

  it('may start with a byte order mark', async () =>
    expect((await post(`\ufeff${JSON.stringify({ profile: profile() })}`)).status).to.equal(200));

  it('are decompressed', async () => {
    const response = await fetch(`${api.url}/api/user/me`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ profile: profile() })),
    });
    expect(response.status).to.equal(200);
  });

  it('are rejected if the JSON is malformed', async () => {
    const broken = ['{', '{"profile":', 'profile=1', '{"a":1}{"b":2}', 'undefined', '"text"', '"{"', "{'a':1}"];
    for (const body of [...broken, '{"a":"\n"}']) {
      const { status, body: answer } = await post(body);
      const error = { status: 400, error: 'Bad Request', exception: 'MessageNotReadableException' };
      expect([status, answer], body).to.deep.equal([400, { ...answer, ...error, path: '/api/user/me' }]);
      expect(answer).not.to.have.property('errors');
    }
  });

  it('are rejected with the position of the JSON error, or the size limit, which `limit` contains for programs', async () => {
    for (const [body, message, limit] of [
      ['{\n  "a": tru\n}', 'The body of the request is not valid JSON: line 2, column 8.'],
      ['{\n  "a": "secret', 'The JSON in the body of the request is incomplete: it ends at line 2, column 15.'],
      ['['.repeat(9000), 'The body of the request is not valid JSON.'],
      [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, /at most 64 levels/],
      [`{"a":"${'x'.repeat(1024 ** 2)}"}`, /at most 1 MiB is allowed/, { maximum: 1024 ** 2, unit: 'bytes' }],
    ] as const) {
      const { body: answer } = await post(body);
      if (typeof message === 'string') expect(answer.message).to.equal(message);
      else expect(answer.message).to.match(message);
      expect(answer.limit).to.deep.equal(limit);
    }
  });

  it('are rejected if the JSON is malformed, also if the operation expects no body', async () =>
    expect((await post('{', {}, '/api/user/me/disable')).status).to.equal(400));

  it('are decoded once more if they are a string with JSON', async () => {
    const text = JSON.stringify({ profile: { ...profile(), pageTitle: 'Encoded "twice" é' } });
    const { status, body } = await post(JSON.stringify(text));
    expect([status, body.profile?.pageTitle]).to.deep.equal([200, 'Encoded "twice" é']);
    const thrice = await post(JSON.stringify(JSON.stringify(text)));
    expect([thrice.status, thrice.body.errors[0].code]).to.deep.equal([400, 'object']);
  });

  it('are rejected with any other value than an object', async () => {
    for (const body of ['[]', '"[]"', '5', '"5"', 'true']) {
      const response = await post(body);
      expect([response.status, response.body.errors[0].code], body).to.deep.equal([400, 'object']);
    }
  });

  it('are rejected if they are not UTF-8', async () => {
    const response = await fetch(`${api.url}/api/user/me`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}` },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).to.equal(400);
  });

  it('are rejected above the size limit: declared, undeclared or compressed', async () => {
    const large = JSON.stringify({ profile: profile(), more: 'x'.repeat(1024 ** 2) });
    const declared = await post(large);
    expect(declared.status).to.equal(413);
    expect(declared.body).to.include({ status: 413, exception: 'PayloadTooLargeException' });
    const authorization = ['authorization', `Bearer ${user.token}`];
    const chunked = await rawRequest(api, {
      method: 'POST',
      path: '/api/user/me',
      headers: [...authorization, 'transfer-encoding', 'chunked'],
      body: large,
    });
    expect(chunked.status).to.equal(413);
    const bomb = await rawRequest(api, {
      method: 'POST',
      path: '/api/user/me',
      headers: [...authorization, 'content-encoding', 'gzip'],
      body: gzipSync(Buffer.alloc(30_000_000, 0x20)).subarray(0, 20_000),
    });
    expect([400, 413]).to.include(bomb.status);
  });

  it('are rejected with unknown content encodings, and as forms if JSON is expected', async () => {
    const coded = await post('{}', { 'content-encoding': 'snappy' });
    expect([coded.status, coded.body.exception]).to.deep.equal([415, 'UnsupportedMediaTypeException']);
    const form = new FormData();
    form.set('title', 'x');
    const sent = await api.call('POST', '/api/user/me', { token: user.token, body: form });
    expect([sent.status, sent.body.exception]).to.deep.equal([415, 'UnsupportedMediaTypeException']);
  });

  it('are rejected with field and reason of the first invalid member, in the request’s language', async () => {
    const messages = [];
    for (const language of languages) {
      const body = { profile: { ...profile(), firstName: ' ', email: 'x' } };
      const response = await post(JSON.stringify(body), { 'accept-language': language });
      const { message, errors } = response.body;
      expect(errors.map(({ field }: { field: string }) => field)).to.deep.equal(['profile.email', 'profile.firstName']);
      expect(message).to.include('profile.email').and.include(errors[0].defaultMessage);
      messages.push(message);
    }
    expect(messages.slice(0, 2)).to.deep.equal([
      'The value of “profile.email” is not valid. The e-mail address is not valid.',
      'Il valore di “profile.email” non è valido. L’indirizzo e-mail non è valido.',
    ]);
    expect(new Set(messages).size).to.equal(languages.length);
  });

  it('are rejected with at most a hundred invalid members', async () => {
    const response = await post(`{"profile":[${Array.from({ length: 1500 }, () => '"\\u0000"').join(',')}]}`);
    expect([response.status, response.body.errors.length]).to.deep.equal([400, 100]);
  });
});
