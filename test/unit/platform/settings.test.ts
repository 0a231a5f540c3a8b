import { scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { ConfigError } from '../../../shared/platform/config.js';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { decryptText, encryptText } from '../../../shared/platform/security/encryption.js';
import { openPasswordThreads, passwordThreads } from '../../../shared/platform/security/passwordThreads.js';
import { hashPassword, sameSecret, verifyPassword } from '../../../shared/platform/security/passwords.js';
import { randomToken, tokenHash } from '../../../shared/platform/security/tokens.js';
import { misspeltSettings, readConfig, setButRemoved } from '../../../shared/settings.js';
import { testEnvironment } from '../../support/context.js';

const { OAUTH_CLIENT_ID: _id, OAUTH_CLIENT_SECRET: _secret, ...withoutClient } = environment();

function environment(): Record<string, string> {
  return testEnvironment('postgres://here/db', '/tmp/nowhere');
}

/** The faults of an environment; empty if it is valid. */
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
  it('reject secrets of less than 16 characters and list all of them without their values', () => {
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

  it('have no payment provider by default; PAYMENTS can select the sandbox', () => {
    const provider = (more: Record<string, string>) =>
      readConfig('web', { ...environment(), ...more }).payments.provider;
    expect(provider({ PAYMENTS: '' })).to.equal('none');
    expect(provider({})).to.equal('sandbox');
    const stripe = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test' };
    expect(provider({ PAYMENTS: '', ...stripe })).to.equal('stripe');
    expect(faultsOf({ ...environment(), ...stripe }).join()).to.include('PAYMENTS');
    expect(faultsOf({ ...environment(), PAYMENTS: 'yes' }).join()).to.include('PAYMENTS');
  });

  it('require INTEGRATION_USER and INTEGRATION_PASSWORD only with a streaming server', () => {
    const { INTEGRATION_USER: _user, INTEGRATION_PASSWORD: _password, ...without } = environment();
    expect(readConfig('web', without).integration).to.equal(null);
    expect(faultsOf({ ...without, INTEGRATION_USER: 'streamer' }).join()).to.include('INTEGRATION_PASSWORD');
    expect(faultsOf({ ...without, INTEGRATION_PASSWORD: 'a'.repeat(16) }).join()).to.include('INTEGRATION_USER');
  });

  it('suggest the setting for a misspelt variable', () => {
    const settingOf = (name: string) =>
      misspeltSettings({ ...environment(), [name]: 'x' }).map(({ setting }) => setting);
    for (const [name, setting] of [
      ['DATABSE_URL', 'DATABASE_URL'],
      ['LOG_LEVLE', 'LOG_LEVEL'],
      ['REDIS_UR', 'REDIS_URL'],
      ['CDN_URI', 'CDN_URL'],
      ['ENCRYPTION-KEY', 'ENCRYPTION_KEY'],
      ['STRIPE_WEBHOOK_KEY', 'STRIPE_WEBHOOK_SECRET'],
      ['LIVE_REWIND_SECONDS', 'LIVE_RECONNECT_SECONDS'],
    ] as const)
      expect(settingOf(name), name).to.deep.equal([setting]);
  });

  it('report removed settings, and not as misspelt ones', () => {
    const env = { ...environment(), CAST_DELAY_SECONDS: '20', STALL_SECONDS: '', REGISTRATIONS_PER_HOUR: '5' };
    expect(setButRemoved(env)).to.deep.equal(['CAST_DELAY_SECONDS', 'REGISTRATIONS_PER_HOUR']);
    expect(misspeltSettings(env)).to.deep.equal([]);
  });

  it('do not report common variables as misspelt settings', () => {
    const usual = `
      HOME HOSTNAME HOSTTYPE HOSTS LANG LANGUAGE LC_ALL LESS LINES COLUMNS LOGNAME LS_COLORS MAIL MAILTO MANPATH OLDPWD
      PAGER PATH PS1 PWD SHELL SHLVL TERM TMPDIR TZ USER USERNAME EDITOR DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS
      XDG_DATA_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK SSH_CONNECTION SUDO_USER _ PORTS
      INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID NOTIFY_SOCKET LISTEN_FDS LISTEN_PID WATCHDOG_USEC RUNTIME_DIRECTORY
      CREDENTIALS_DIRECTORY STATE_DIRECTORY LOGS_DIRECTORY
      NODE_ENV NODE_OPTIONS NODE_VERSION NODE_PATH NODE_EXTRA_CA_CERTS UV_THREADPOOL_SIZE NO_COLOR FORCE_COLOR DEBUG INIT_CWD
      npm_config_cache npm_lifecycle_event npm_package_name npm_node_execpath YARN_VERSION NVM_DIR COREPACK_HOME
      DEMO DEMO_CLIP_SECONDS FOREMAN_WORKER_NAME PS DYNO STACK PGSSLMODE PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE
      HEROKU_APP_NAME HEROKU_SLUG_COMMIT HEROKU_RELEASE_VERSION HEROKU_POSTGRESQL_BLUE_URL DATABASE_CONNECTION_POOL_URL
      REDIS_TLS_URL REDISCLOUD_URL WEB_CONCURRENCY WEB_MEMORY MEMORY_AVAILABLE SOURCE_VERSION BUILD_DIR
      CI GITHUB_ACTIONS GITHUB_TOKEN GITLAB_CI RUNNER_OS BUILD_NUMBER
      KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_SERVICE_PORT POD_NAME POD_IP container HTTP_PROXY HTTPS_PROXY NO_PROXY
      http_proxy https_proxy no_proxy ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR
      AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_DEFAULT_REGION
      OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT SENTRY_DSN NEW_RELIC_LICENSE_KEY
      MEILI_MASTER_KEY MEILI_ENV MEILI_DB_PATH POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB REDIS_PASSWORD MINIO_ROOT_USER
      SMTP_HOST SMTP_PORT SMTP_USER SECRET_KEY_BASE API_URL APP_URL BASE_URL APP_NAME SERVICE_PORT PUBLIC_HOST
    `;
    const named = Object.fromEntries((usual.match(/\S+/g) ?? []).map((name) => [name, 'x']));
    expect(misspeltSettings({ ...environment(), ...named })).to.deep.equal([]);
  });

  describe('OAUTH_CLIENTS', () => {
    const clients = (OAUTH_CLIENTS: string, env: Record<string, string> = withoutClient) =>
      readConfig('web', { ...env, OAUTH_CLIENTS }).oauth.clients;

    it('lists clients with secrets, with empty ones, and with origins', () =>
      expect(clients('web:@https://www.example.org@http://localhost:8080, app:a-long@secret-12')).to.deep.equal([
        { id: 'web', secret: '', origins: ['https://www.example.org', 'http://localhost:8080'] },
        { id: 'app', secret: 'a-long@secret-12', origins: [] },
      ]));

    it('adds clients after the client of OAUTH_CLIENT_ID, and either setting is sufficient', () => {
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
      ['a duplicate id', 'web:,web:secret-of-web-too', 'twice'],
    ] as const)
      it(`is rejected with ${what}`, () => {
        const faults = faultsOf({ ...withoutClient, OAUTH_CLIENTS: list }).join();
        expect(faults).to.include(fault);
        expect(faults).not.to.match(/sh0rt|secret-of/);
      });

    it('is rejected with the id of OAUTH_CLIENT_ID', () =>
      expect(faultsOf({ ...environment(), OAUTH_CLIENTS: 'web:' }).join()).to.include('twice'));
  });
});

const key = 'ab'.repeat(32);

describe('Passwords', function () {
  this.timeout(60_000);
  const usual = { parts: new ContextParts() };
  const threads = openPasswordThreads({ N: 2 ** 14, r: 8, p: 1 });
  const derive = sinon.spy(threads, 'derive');
  const ctx = { parts: new ContextParts([[passwordThreads, threads]]) };
  after(() => Promise.all([usual.parts.close(), threads.close()]));

  it('have a hash that verifies only its password and contains its cost', async () => {
    const hash = await hashPassword(ctx, 'correct horse');
    expect(hash).to.match(/^scrypt\$16384\$8\$1\$/);
    expect(await hashPassword(usual, 'correct horse')).to.match(/^scrypt\$16384\$8\$5\$/);
    expect(await hashPassword(ctx, 'correct horse')).not.to.equal(hash);
    expect(hash).not.to.include('correct');
    expect(await verifyPassword(ctx, 'correct horse', hash)).to.equal(true);
    expect(await verifyPassword(ctx, 'correct horsf', hash)).to.equal(false);
    expect(await verifyPassword(ctx, '', hash)).to.equal(false);
  });

  it('verify against an older hash of lower cost', async () => {
    const older = 'scrypt$1024$8$1$' + Buffer.from('0123456789abcdef').toString('base64url');
    const derived = scryptSync('old password', '0123456789abcdef', 32, { N: 1024, r: 8, p: 1 }).toString('base64url');
    expect(await verifyPassword(ctx, 'old password', `${older}$${derived}`)).to.equal(true);
    expect(await verifyPassword(ctx, 'new password', `${older}$${derived}`)).to.equal(false);
  });

  it('are equal in different Unicode normalization forms', async () =>
    expect(await verifyPassword(ctx, 'caf\u00e9 au lait', await hashPassword(ctx, 'cafe\u0301 au lait'))).to.equal(
      true,
    ));

  it('are hashed two at a time while sixteen wait and others are rejected, without a delay of file reads', async () => {
    const waiting = Array.from({ length: 30 }, () => hashPassword(ctx, 'correct horse').catch((error: Error) => error));
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => readFile('package.json')));
    const filesMs = performance.now() - startedMs;
    const results = await Promise.all(waiting);
    const rejected = results.filter((result) => typeof result !== 'string');
    expect(rejected).to.have.length(12);
    for (const error of rejected) expect(error).to.be.instanceOf(TooManyRequestsError);
    expect(filesMs).to.be.below((performance.now() - startedMs) / 4);
    expect(await verifyPassword(ctx, 'correct horse', results[0] as string)).to.equal(true);
  });

  it('take the same work for an unknown account as for a wrong password, and are rejected', async () => {
    const hash = await hashPassword(ctx, 'correct horse');
    derive.resetHistory();
    for (const stored of [hash, null]) expect(await verifyPassword(ctx, 'guess', stored)).to.equal(false);
    const [known, unknown] = derive.args.map(([{ options, keyBytes }]) => ({ options, keyBytes }));
    expect(unknown).to.deep.equal(known);
  });

  it('are comparable with secrets of different lengths', () => {
    expect(sameSecret('', '')).to.equal(true);
    expect(sameSecret('secret', 'secret')).to.equal(true);
    expect(sameSecret('secret', 'secre')).to.equal(false);
    expect(sameSecret('', 'secret')).to.equal(false);
  });
});

describe('Encryption', () => {
  it('decrypts a text for its owner only', () => {
    const sealed = encryptText(key, 'user-1', 'pässword');
    expect(sealed).not.to.include('pässword');
    expect(decryptText(key, 'user-1', sealed)).to.equal('pässword');
    expect(() => decryptText(key, 'user-2', sealed)).to.throw();
    expect(() => decryptText('cd'.repeat(32), 'user-1', sealed)).to.throw();
  });

  it('detects every changed part', () => {
    const parts = encryptText(key, 'user-1', 'password').split('.');
    for (const index of [0, 1, 2, 3]) {
      const changed = parts
        .map((part, at) => (at === index ? (part.startsWith('A') ? 'B' : 'A') + part.slice(1) : part))
        .join('.');
      expect(() => decryptText(key, 'user-1', changed), String(index)).to.throw();
    }
    expect(
      () => decryptText(key, 'user-1', parts.map((part, at) => (at === 2 ? part.slice(0, 6) : part)).join('.')),
      'short tag',
    ).to.throw();
  });

  it('encrypts equal texts differently each time', () =>
    expect(encryptText(key, 'user-1', 'password')).not.to.equal(encryptText(key, 'user-1', 'password')));
});

describe('Tokens', () => {
  it('have 256 bits and are stored as a hash', () => {
    const token = randomToken();
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    expect(tokenHash(token)).to.have.length(32);
    expect(randomToken()).not.to.equal(token);
  });
});
