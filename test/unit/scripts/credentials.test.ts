import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadCredentials } from '../../../scripts/embedded/credentials.js';
import { readConfig } from '../../../shared/settings.js';

describe('credentials', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-credentials-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const path = (): string => join(folder, 'credentials.json');

  it('are generated once, complete, and readable by the owner only', async () => {
    const made = loadCredentials(folder, {});
    expect(readConfig('web', { ...made, DATABASE_URL: 'postgres://here/db' }).oauth.clients[0].id).to.equal('web');
    expect((await stat(path())).mode & 0o777).to.equal(0o600);
    expect(loadCredentials(folder, {})).to.deep.equal(made);
  });

  it('are taken from the environment if it has them, and then not stored', async () => {
    const given = loadCredentials(folder, { OPERATOR_PASSWORD: 'from outside', OAUTH_CLIENT_SECRET: '' });
    expect(given).to.include({ OPERATOR_PASSWORD: 'from outside', OAUTH_CLIENT_SECRET: '' });
    expect(JSON.parse(await readFile(path(), 'utf8'))).not.to.have.any.keys('OPERATOR_PASSWORD', 'OAUTH_CLIENT_SECRET');
    expect(loadCredentials(folder, {}).OPERATOR_PASSWORD).to.have.lengthOf.above(16);
  });

  it('gain the credentials that a later version needs, and keep the others', async () => {
    await writeFile(path(), JSON.stringify({ OPERATOR_PASSWORD: 'old' }));
    expect(loadCredentials(folder, {}).OPERATOR_PASSWORD).to.equal('old');
    expect(JSON.parse(await readFile(path(), 'utf8'))).to.include({
      OPERATOR_PASSWORD: 'old',
      OPERATOR_USER: 'operator',
    });
  });

  it('do not replace a damaged file', async () => {
    await writeFile(path(), '{"OPERATOR_');
    expect(() => loadCredentials(folder, {})).to.throw(/credentials\.json is damaged/);
  });
});
