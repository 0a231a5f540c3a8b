import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { envExample } from '../../../tools/envExample.js';
import { readConfig, settings } from '../../../shared/settings.js';

const projectFile = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');

/** As an operator writes it: without the comment signs before the settings. */
const environmentFile = projectFile('.env.example').replace(/^# (?=[A-Z0-9_]+=)/gm, '');

const required = {
  ...{ DATABASE_URL: 'postgres://here/db', OAUTH_CLIENT_ID: 'web', OAUTH_CLIENT_SECRET: '' },
  ...{ OPERATOR_USER: 'c', OPERATOR_PASSWORD: 'operator password' },
  ...{ PLAYBACK_KEYS: 'k1:0123456789abcdef', ENCRYPTION_KEY: '0'.repeat(64) },
};

describe('.env.example', () => {
  it('is up to date with README and settings (npm run env:example), and has every setting', () => {
    expect(projectFile('.env.example')).to.equal(envExample(projectFile('README.md')));
    const names = [...environmentFile.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(names).to.have.members([...Object.keys(settings.describe().keys), 'DEMO']);
  });

  for (const [reader, read] of [
    ['a shell', readByShell],
    ['node --env-file', parseEnv],
  ] as const) {
    it(`has defaults that the settings accept when ${reader} reads them`, () => {
      expect(readConfig('web', { ...read(environmentFile), ...required })).to.deep.equal(readConfig('web', required));
    });
  }

  function readByShell(text: string): NodeJS.Dict<string> {
    const folder = mkdtempSync(join(tmpdir(), 'video-platform-env-'));
    try {
      writeFileSync(join(folder, 'video.env'), text);
      const printed = execFileSync('sh', ['-eu', '-c', 'set -a; . ./video.env; exec env -0'], {
        cwd: folder,
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      });
      return Object.fromEntries(printed.split('\0').map((line) => line.split(/=(.*)/s, 2)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
});
