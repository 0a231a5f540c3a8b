import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { generatedSettings } from '../../../scripts/embedded/credentials.js';
import { describedSettings } from '../../../scripts/settings/describedSettings.js';
import { deploymentEnv, envExample } from '../../../scripts/settings/environmentFiles.js';
import { settingsPage } from '../../../tools/settings/settingsPage.js';
import { readConfig, settings } from '../../../shared/settings.js';
import { projectFile } from '../../support/projectFile.js';

const described = describedSettings();

/** As an operator writes it: without the comment signs before the settings. */
const withoutCommentSigns = (text: string): string => text.replace(/^# (?=[A-Z0-9_]+=)/gm, '');
const environmentFile = withoutCommentSigns(envExample(described));
const deploymentFile = deploymentEnv(described, generatedSettings()).replace(
  /^DATABASE_URL=$/m,
  'DATABASE_URL=postgres://here/db',
);

const readers = [
  ['a shell', readByShell],
  ['node --env-file', parseEnv],
] as const;

describe('Files of settings', () => {
  it('are up to date with the declarations (npm run settings)', () => {
    const stored = (name: string): string => readFileSync(projectFile(name), 'utf8');
    expect(stored('.env.example')).to.equal(envExample(described));
    expect(stored('docs/settings.md')).to.equal(settingsPage(described));
  });

  it('name each setting once', () => {
    const names = [...Object.keys(settings.describe().keys), 'DEMO'];
    expect([...environmentFile.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name)).to.have.members(names);
    expect([...settingsPage(described).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).to.have.members(names);
  });

  it('give each setting a meaning and a group, and few settings to every deployment', () => {
    expect(described.filter(({ meaning, group }) => !meaning || !group)).to.deep.equal([]);
    const countOf = (tier: string): number => described.filter((setting) => setting.tier === tier).length;
    expect([countOf('must'), countOf('choose')]).to.satisfy(([must, choose]: number[]) => must! <= 12 && choose! <= 25);
    const required = described.filter(({ isRequired }) => isRequired);
    expect(required.map(({ tier }) => tier)).to.deep.equal(required.map(() => 'must'));
  });

  for (const [reader, read] of readers) {
    it(`have defaults that the settings accept when ${reader} reads them`, () => {
      const required = read(deploymentFile);
      expect(readConfig('web', { ...read(environmentFile), ...required })).to.deep.equal(readConfig('web', required));
    });

    it(`let a deployment start with generated secrets and a database when ${reader} reads them`, () => {
      const { operator, playback } = readConfig('web', read(deploymentFile));
      expect(operator.password).to.have.length.of.at.least(16);
      expect(playback.keys).to.have.length(1);
    });
  }
});

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
