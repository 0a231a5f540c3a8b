import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isLinkHost } from '../../shared/oauth/linkHosts.js';
import { readConfig } from '../../shared/settings.js';
import { testEnvironment } from '../support/environment.js';
import { projectFile } from '../support/projectFile.js';

describe('The example settings of docs/integrate.md', () => {
  it('are valid and configure a front end as the page describes', () => {
    const [, block = ''] = /```env\n([^`]*)```/.exec(readFileSync(projectFile('docs/integrate.md'), 'utf8')) ?? [];
    const given = Object.fromEntries(
      block
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/, 2)),
    );
    const {
      OAUTH_CLIENT_ID: _id,
      OAUTH_CLIENT_SECRET: _secret,
      ...others
    } = testEnvironment('postgres://localhost/none', 'data');
    const config = readConfig('web', { ...others, ...given });
    expect(config.oauth.clients).to.deep.equal([{ id: 'web', secret: '', origins: ['https://www.example.org'] }]);
    expect(config.service).to.include({
      name: 'Acme',
      basePath: '/platform',
      urnNamespace: 'acme',
      integrationName: 'acme',
      defaultOffsetMs: 3_600_000,
    });
    expect(config.integration).to.include({ user: 'streaming' });
    const mayLinkTo = (address: string): boolean => isLinkHost(config, new URL(address));
    expect(['https://www.example.org/a', 'https://accounts.example.org/b'].map(mayLinkTo)).to.deep.equal([true, true]);
    expect(mayLinkTo('https://www.example.net/')).to.equal(false);
  });
});
