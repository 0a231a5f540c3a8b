import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printedBlocks } from './printedBlocks.js';
import { makeVideo } from './media.js';

const run = promisify(execFile);

const interpreters = {
  sh: ['bash', '-ec'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
} as const;

export type PrintedLanguage = keyof typeof interpreters;

/** The folder of a third-party program, with a video under the names that examples use. */
export interface ProgramFolder {
  readonly path: string;
  /** Runs documented code and returns its output. Only `env`, the search path and npm settings are set. */
  readonly run: (language: PrintedLanguage, code: string, env?: Readonly<Record<string, string>>) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openProgramFolder(): Promise<ProgramFolder> {
  const path = await mkdtemp(join(tmpdir(), 'video-platform-printed-'));
  // No registry: a URL to which nothing listens. npm uses a separate cache.
  const npm = {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    npm_config_cache: join(path, '.npm'),
  };
  const video = await makeVideo();
  for (const name of ['river.mp4', 'film.mp4']) await copyFile(video, join(path, name));
  // Without it, npm installs into the next parent folder that has one.
  await writeFile(join(path, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return {
    path,
    async run(language, code, env = {}) {
      const [program, ...options] = interpreters[language];
      const { stdout } = await run(program, [...options, code], {
        cwd: path,
        env: { PATH: process.env['PATH'], ...npm, ...env },
        timeout: 120_000,
      });
      return stdout;
    },
    close: () => rm(path, { recursive: true, force: true }),
  };
}

/** Runs documented code in a new folder, and returns its output. */
export async function runPrinted(
  language: PrintedLanguage,
  code: string,
  env?: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await openProgramFolder();
  try {
    return await folder.run(language, code, env);
  } finally {
    await folder.close();
  }
}

/** The code blocks of one language in `docs/integrate.md` up to the reference, in order. */
export async function protocolExamples(language: PrintedLanguage): Promise<string> {
  return (await printedBlocks('integrate', language, '\n## Before the first call\n')).join('\n');
}

/** README's example: the line that installs the client, and the program that uploads a film. */
export async function readmeExample(): Promise<{ readonly installation: string; readonly program: string }> {
  const commands = (await printedBlocks('../README', 'sh')).join('');
  const installation = /^npm install .*client\.tgz.*$/m.exec(commands)?.[0];
  if (installation === undefined) throw new Error('README.md has no line that installs the client');
  return { installation, program: (await printedBlocks('../README', 'js')).join('\n') };
}

/** The release commands of `docs/deploy.md`, for web processes on other ports. */
export async function releaseCommands(ports: readonly [string, string]): Promise<string> {
  const commands = (await printedBlocks('deploy', 'sh')).find((code) => code.includes('for port in 3000 3001')) ?? '';
  if (commands === '') throw new Error('docs/deploy.md has no release of the ports 3000 and 3001');
  return commands.replace('3000 3001', ports.join(' '));
}
