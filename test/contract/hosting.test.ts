import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { printedBlocks } from '../support/printedBlocks.js';
import { readConfig, settings } from '../../shared/settings.js';
import { dockerfileStages } from '../support/dockerfile.js';
import { projectFile } from '../support/projectFile.js';

interface DeclaredSetting {
  readonly value?: string;
  readonly generator?: 'secret';
}

describe('files for hosts', () => {
  const processes = readFileSync(projectFile('Procfile'), 'utf8').match(/^\w+/gm) ?? [];

  describe('Procfile', () => {
    it('begins with web: foreman gives PORT to the first process, and 100 more to each further one', () => {
      expect(processes[0]).to.equal('web');
    });

    it('is started in docs/deploy.md without release, whose end would stop all processes', async () => {
      const [commands = ''] = (await printedBlocks('deploy', 'sh')).filter((text) => text.includes('nf start'));
      const started = /nf start (\S+)/.exec(commands)?.[1]?.split(',') ?? [];
      expect(started).to.deep.equal(processes.filter((name) => name !== 'release').map((name) => `${name}=1`));
    });
  });

  describe('app.json', () => {
    const app = JSON.parse(readFileSync(projectFile('app.json'), 'utf8')) as {
      readonly env: Readonly<Record<string, DeclaredSetting>>;
      readonly formation: Readonly<Record<string, unknown>>;
    };
    /** What the add-ons set, and what a person fills in. */
    const given: Readonly<Record<string, string>> = {
      DATABASE_URL: 'postgres://video@localhost/video',
      REDIS_URL: 'rediss://localhost:6379',
      PUBLIC_URL: 'https://video.example.org',
      PLAYBACK_KEYS: `k1:${'0'.repeat(48)}`,
      S3_BUCKET: 'videos',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'a-secret-access-key',
    };

    it('has the settings that every process needs, and no other names', () => {
      const known = Object.keys(settings.describe().keys);
      expect(Object.keys(app.env).filter((name) => !known.includes(name))).to.deep.equal(['PGSSLMODE']);
      const generated = Object.entries(app.env).map(([name, { value, generator }]) => [
        name,
        // As the platform generates it.
        value ?? (generator === 'secret' ? '0123456789abcdef'.repeat(4) : given[name]),
      ]);
      const environment = { ...given, ...(Object.fromEntries(generated) as Record<string, string>) };
      for (const process of ['web', 'worker', 'clock'] as const) readConfig(process, environment);
    });

    it('starts the processes of the Procfile', () => {
      expect(processes).to.include.members(Object.keys(app.formation));
    });
  });

  describe('Dockerfile', () => {
    const stages = dockerfileStages(projectFile('Dockerfile'));
    const image = stages.at(-1) ?? [];
    const valuesOf = (name: string): string[] => image.filter((one) => one.name === name).map(({ value }) => value);

    it('runs as a user without rights, and starts what is built', () => {
      expect(valuesOf('USER')).to.deep.equal(['node']);
      const [command = '[]'] = valuesOf('CMD');
      const file = (JSON.parse(command) as string[]).at(-1) ?? '';
      expect(existsSync(projectFile(file)), file).to.equal(true);
    });

    it('takes from the build only what is there after it', () => {
      const copied = valuesOf('COPY').map((value) => /^--from=build \/app\/(\S+) \.\/\S*$/.exec(value)?.[1] ?? value);
      expect(copied).to.deep.equal(['package.json', 'node_modules', 'dist']);
    });

    it('takes neither secrets nor data of this folder', () => {
      const ignored = readFileSync(projectFile('.dockerignore'), 'utf8').split('\n');
      expect(ignored).to.include.members(['.env', '.git', 'dist', 'node_modules']);
    });
  });
});
