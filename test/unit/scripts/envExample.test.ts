import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { envExample } from '../../../scripts/envExample.js';
import { readConfig } from '../../../shared/settings.js';

describe('.env.example', () => {
  it('is up to date with the settings (npm run env:example)', () => {
    const written = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8');
    expect(written).to.equal(envExample());
  });

  it('has defaults that the settings accept', () => {
    const lines = envExample().matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm);
    const defaults = [...lines].map(([, name, value = '']) => [name, value.replace(/^"(.*)"$/, '$1')]);
    const required = {
      ...{ DATABASE_URL: 'postgres://here/db', OAUTH_CLIENT_ID: 'web', OAUTH_CLIENT_SECRET: '' },
      ...{
        INTEGRATION_USER: 'a',
        INTEGRATION_PASSWORD: 'integration password',
        OPERATOR_USER: 'c',
        OPERATOR_PASSWORD: 'operator password',
      },
      ...{ PLAYBACK_KEYS: 'k1:0123456789abcdef', ENCRYPTION_KEY: '0'.repeat(64) },
    };
    expect(readConfig('web', { ...Object.fromEntries(defaults), ...required })).to.deep.equal(
      readConfig('web', required),
    );
  });
});
