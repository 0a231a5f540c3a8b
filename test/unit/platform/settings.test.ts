import { expect } from 'chai';
import { ConfigError } from '../../../shared/platform/config.js';
import { readConfig } from '../../../shared/settings.js';
import { testEnvironment } from '../../support/environment.js';

const { OAUTH_CLIENT_ID: _id, OAUTH_CLIENT_SECRET: _secret, ...withoutClient } = environment();

function environment(): Record<string, string> {
  return testEnvironment('postgres://here/db', '/tmp/nowhere');
}

/** The faults of an environment; none where it is valid. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig('web', env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('Settings', () => {
  it('a secret of less than 16 characters is refused; all are listed, and none is printed', () => {
    const secrets = {
      OAUTH_CLIENT_SECRET: 'short-0ne',
      INTEGRATION_PASSWORD: 'short-tw0',
      OPERATOR_PASSWORD: 'sh0rt-three',
      PLAYBACK_KEYS: 'k1:short-f0ur',
      STRIPE_WEBHOOK_SECRET: 'sh0rt-five',
    };
    const faults = faultsOf({ ...environment(), PAYMENTS: '', STRIPE_SECRET_KEY: 'sk', ...secrets });
    expect(faults.map((fault) => fault.split(' ', 1)[0])).to.have.members(Object.keys(secrets));
    for (const value of Object.values(secrets)) expect(faults.join()).not.to.include(value);
    expect(faultsOf({ ...environment(), OPERATOR_PASSWORD: 'sixteen letters!' })).to.deep.equal([]);
  });

  it('without a payment provider there is none, unless PAYMENTS chooses the sandbox', () => {
    const provider = (more: Record<string, string>) =>
      readConfig('web', { ...environment(), ...more }).payments.provider;
    expect(provider({ PAYMENTS: '' })).to.equal('none');
    expect(provider({})).to.equal('sandbox');
    const stripe = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test' };
    expect(provider({ PAYMENTS: '', ...stripe })).to.equal('stripe');
    expect(faultsOf({ ...environment(), ...stripe }).join()).to.include('PAYMENTS');
    expect(faultsOf({ ...environment(), PAYMENTS: 'yes' }).join()).to.include('PAYMENTS');
  });

  describe('OAUTH_CLIENTS', () => {
    const clients = (OAUTH_CLIENTS: string, env: Record<string, string> = withoutClient) =>
      readConfig('web', { ...env, OAUTH_CLIENTS }).oauth.clients;

    it('lists clients with secrets, with empty ones, and with origins', () => {
      expect(clients('web:@https://www.example.org@http://localhost:8080, app:a-long@secret-12')).to.deep.equal([
        { id: 'web', secret: '', origins: ['https://www.example.org', 'http://localhost:8080'] },
        { id: 'app', secret: 'a-long@secret-12', origins: [] },
      ]);
    });

    it('comes after the client of OAUTH_CLIENT_ID, and either is enough', () => {
      expect(clients('app:', environment()).map(({ id }) => id)).to.deep.equal(['web', 'app']);
      expect(faultsOf(withoutClient).join()).to.include('OAUTH_CLIENT_ID').and.to.include('OAUTH_CLIENTS');
      expect(faultsOf({ ...withoutClient, OAUTH_CLIENT_ID: 'web' }).join()).to.include('OAUTH_CLIENT_SECRET');
    });

    for (const [what, list, fault] of [
      ['no secret', 'web', 'must be'],
      ['no id', ':secret-of-web', 'must be'],
      ['an empty entry', 'web:,', 'must be'],
      ['a path in an origin', 'web:@https://example.org/app', 'must be'],
      ['a short secret', 'web:sh0rt', 'less than 16'],
      ['an id twice', 'web:,web:secret-of-web-too', 'twice'],
    ] as const) {
      it(`is refused with ${what}`, () => {
        const faults = faultsOf({ ...withoutClient, OAUTH_CLIENTS: list }).join();
        expect(faults).to.include(fault);
        expect(faults).not.to.match(/sh0rt|secret-of/);
      });
    }

    it('is refused with the id of OAUTH_CLIENT_ID', () => {
      expect(faultsOf({ ...environment(), OAUTH_CLIENTS: 'web:' }).join()).to.include('twice');
    });
  });
});
