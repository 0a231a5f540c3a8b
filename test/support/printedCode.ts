import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printedBlocks } from '../../scripts/documentation/printedBlocks.js';
import { makeVideo } from './media.js';
import { projectFile } from './projectFile.js';

const run = promisify(execFile);

const interpreters = {
  sh: ['bash', '-ec'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
} as const;

export type PrintedLanguage = keyof typeof interpreters;

/**
 * Runs code as it is printed, in a folder with this project as a package and a video under the names that examples use, and returns what it prints. Only
 * `env` and the search path are set.
 */
export async function runPrinted(
  language: PrintedLanguage,
  code: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-printed-'));
  const [program, ...options] = interpreters[language];
  try {
    const video = await makeVideo();
    for (const name of ['river.mp4', 'film.mp4']) await copyFile(video, join(folder, name));
    // As after `npm install <folder of this project>`.
    await mkdir(join(folder, 'node_modules'));
    await symlink(projectFile('.'), join(folder, 'node_modules', 'video-platform-service'));
    const { stdout } = await run(program, [...options, code], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
      timeout: 120_000,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The code of one language in `docs/protocol.md`, up to the reference: its blocks follow one another. */
export async function protocolExamples(language: PrintedLanguage): Promise<string> {
  return (await printedBlocks('protocol', language, '\n## Before the first call\n')).join('\n');
}

/** The example of README: what a program needs for its first film. */
export async function readmeExample(): Promise<string> {
  return (await printedBlocks('../README', 'js')).join('\n');
}

/** The commands of a release in `docs/deploy.md`, for web processes at other ports. */
export async function releaseCommands(ports: readonly [string, string]): Promise<string> {
  const commands = (await printedBlocks('deploy', 'sh')).find((code) => code.includes('for port in 3000 3001')) ?? '';
  if (commands === '') throw new Error('docs/deploy.md has no release of the ports 3000 and 3001');
  return commands.replace('3000 3001', ports.join(' '));
}
