import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { generatedSettings } from '../../../scripts/embedded/credentials.js';
import { describedSettings } from '../../../scripts/settings/describedSettings.js';
import { deploymentEnv, envExample } from '../../../scripts/settings/environmentFiles.js';
import { readConfig, settings } from '../../../shared/settings.js';
import { settingsPage } from '../../../tools/docs/settingsPage.js';
import { testFilesOf } from '../../../tools/testFiles.js';
import { projectFile } from '../../support/projectFile.js';

const readProjectFile = (path: string): string => readFileSync(projectFile(path), 'utf8');

function namedIn(page: string, form: RegExp): string[] {
  return [...readProjectFile(page).matchAll(form)].map(([, name = '']) => name);
}

describe('README and CONTRIBUTING', () => {
  it('name no setting except PORT', () => {
    const names = Object.keys(settings.describe().keys);
    const named = namedIn('README.md', /(?<![A-Z_])([A-Z][A-Z0-9_]+)(?![A-Z_])/g);
    expect(names.filter((name) => named.includes(name))).to.deep.equal(['PORT']);
  });

  it('explain every command of package.json and name no others', () => {
    const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
    const rows = readProjectFile('CONTRIBUTING.md')
      .split('\n')
      .filter((line) => line.startsWith('| `npm '));
    const commands = [...rows.join('\n').matchAll(/`npm (?:run )?([a-z:]+)/g)].map(([, name]) => name);
    expect([...new Set(commands)]).to.have.members(Object.keys(scripts));
    expect(Object.keys(scripts)).to.include.members(namedIn('README.md', /npm run ([a-z:]+)/g));
  });
});

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

describe('the lock file', () => {
  it('contains the packages of every platform (npm run lock), which npm ci requires', () => {
    const { packages } = JSON.parse(
      readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
    ) as Lock;
    const required = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    const missing = required.filter(
      (name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)),
    );
    expect(required).not.to.deep.equal([]);
    expect(missing).to.deep.equal([]);
  });
});

describe('The files of a test run', () => {
  let root: string;
  const files = [
    ...['unit/a', 'long/b', 'failure/b', 'media/b', 'browser/b', 'integration/media/c', 'process/d'],
    'process/e',
  ];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'test-files-'));
    for (const file of files) {
      const path = join(root, 'dist/test', `${file}.test.js`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '');
    }
  });
  after(() => rm(root, { recursive: true, force: true }));

  const namesOf = (...sources: string[]): string[] =>
    testFilesOf(sources, root).map((file) => file.replace(/^dist\/test\/(.*)\.test\.js$/, '$1'));

  it('include all files except those that must be named, with the slow folders first and interleaved', () => {
    expect(namesOf()).to.deep.equal(['integration/media/c', 'unit/a']);
    const all = ['process/d', 'integration/media/c', 'process/e', 'unit/a'];
    expect(namesOf('test/unit', 'test/process', 'test/integration')).to.deep.equal(all);
  });

  it('include each named file once', () => {
    expect(namesOf('test/long')).to.deep.equal(['long/b']);
    expect(namesOf('./test/unit', 'test/unit/a.test.ts')).to.deep.equal(['unit/a']);
    expect(() => namesOf('test/none')).to.throw('there are no tests at test/none');
  });
});

const described = describedSettings();

/** The file of an operator: all settings uncommented. */
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

describe('The files of settings', () => {
  it('are up to date with the declarations (npm run docs)', () => {
    const stored = (name: string): string => readFileSync(projectFile(name), 'utf8');
    expect(stored('.env.example')).to.equal(envExample(described));
    expect(stored('docs/settings.md')).to.equal(settingsPage(described));
  });

  it('name each setting once', () => {
    const names = [...Object.keys(settings.describe().keys), 'DEMO'];
    expect([...environmentFile.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name)).to.have.members(names);
    expect([...settingsPage(described).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).to.have.members(names);
  });

  it('give each setting a meaning and a group, and require few settings', () => {
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
