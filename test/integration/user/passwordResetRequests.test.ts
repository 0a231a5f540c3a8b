import { publicToken } from '../../support/api.js';
import { rejectedFields } from '../../support/responses.js';
import { serviceFixture } from '../../support/service.js';
import { expect } from 'chai';

const confirmationUrl = 'https://app.example.org/renew?token=${token}';

describe('POST /api/public/user/password/renew, invalid requests', () => {
  const { api } = serviceFixture();

  const ask = async (body: object) =>
    api.call('POST', '/api/public/user/password/renew', {
      token: await publicToken(api),
      body: { confirmationUrl, ...body },
    });

  const invalidRequests: readonly (readonly [string, object, string, string])[] = [
    ['both names', { userCode: 'somebody', email: 'somebody@example.org' }, 'userCode', 'notAllowed'],
    ['no name', {}, 'userCode', 'required'],
    ['a blank name', { userCode: ' ', email: '' }, 'userCode', 'required'],
    ['a broken e-mail', { email: 'ada@' }, 'email', 'email'],
    ['no template', { userCode: 'somebody', confirmationUrl: undefined }, 'confirmationUrl', 'required'],
    ['no token in it', { userCode: 'somebody', confirmationUrl: 'https://a.org' }, 'confirmationUrl', 'tokenTemplate'],
    [
      'an unknown host',
      { userCode: 'x', confirmationUrl: 'https://phishing.test/${token}' },
      'confirmationUrl',
      'linkHost',
    ],
    ['a script', { userCode: 'x', confirmationUrl: 'javascript:${token}' }, 'confirmationUrl', 'tokenTemplate'],
    [
      'a token in the host',
      { userCode: 'x', confirmationUrl: 'http://${token}.a.org' },
      'confirmationUrl',
      'tokenTemplate',
    ],
  ];
  for (const [what, body, field, code] of invalidRequests) {
    it(`400: rejects ${what}`, async () => {
      expect(rejectedFields(await ask(body))).to.deep.equal([`${field} ${code}`]);
    });
  }
});
