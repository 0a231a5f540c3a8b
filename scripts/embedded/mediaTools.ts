import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { checkTools } from '../../workers/media/index.js';
import { StartupError } from './startupError.js';

export interface MediaTools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** For each package manager, the commands that install ffmpeg without a prompt. */
const installations: readonly (readonly [program: string, ...parameters: string[]])[][] = [
  [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', 'ffmpeg'],
  ],
  [['apk', 'add', '--no-cache', 'ffmpeg']],
  [['dnf', 'install', '-y', 'ffmpeg']],
  [['brew', 'install', 'ffmpeg']],
];

/**
 * Finds ffmpeg and ffprobe at FFMPEG_PATH, otherwise on the PATH; otherwise the system's package manager installs them, if it needs
 * no input.
 *
 * @throws StartupError, with the command to run, if they are missing, too old or without a required encoder.
 */
export async function findMediaTools(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<MediaTools> {
  const ffmpegPath = env['FFMPEG_PATH'] || onPath('ffmpeg', env) || install(env, say);
  const beside = join(dirname(ffmpegPath), 'ffprobe');
  const ffprobePath = env['FFPROBE_PATH'] || (existsSync(beside) ? beside : onPath('ffprobe', env));
  if (!ffprobePath)
    throw new StartupError(`There is no ffprobe next to ${ffmpegPath} and none on the PATH: set FFPROBE_PATH.`);
  await checkTools({ ffmpegPath, ffprobePath }).catch((error: Error) => {
    throw new StartupError(error.message);
  });
  return { ffmpegPath, ffprobePath };
}

/** The path of a program on the PATH; undefined: there is none. */
export function onPath(name: string, env = process.env): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs ffmpeg and returns its path. Without privileges or a known package manager, the error contains the command to run. */
function install(env: NodeJS.ProcessEnv, say: (line: string) => void): string {
  const commands = installations.find(([first]) => first && onPath(first[0], env));
  if (!commands)
    throw new StartupError('ffmpeg is missing: install it (4.4 or later, with libx264), or set FFMPEG_PATH.');
  const manager = commands[0]?.[0];
  const isRoot = process.getuid?.() === 0;
  // Homebrew refuses to run as root and needs no privileges; the others need root.
  const needsSudo = manager !== 'brew' && !isRoot;
  const toRun = commands.map((command): [string, ...string[]] =>
    needsSudo ? ['sudo', '-n', ...command] : [...command],
  );
  const advice = `run: ${toRun.map((command) => command.join(' ')).join(' && ')}`;
  const isAllowed = needsSudo ? run(['sudo', '-n', 'true'], env).status === 0 : manager !== 'brew' || !isRoot;
  if (!isAllowed) throw new StartupError(`ffmpeg is missing; ${advice}`);
  say(`ffmpeg is missing: installing it with ${manager} ...`);
  for (const command of toRun) {
    const { status, stderr, error } = run(command, env);
    const reason = stderr?.trim().split('\n').at(-1) || error?.message || `exit code ${status}`;
    if (status !== 0) throw new StartupError(`ffmpeg could not be installed (${reason}); ${advice}`);
  }
  const path = onPath('ffmpeg', env);
  if (!path) throw new StartupError(`ffmpeg is still missing after its installation; ${advice}`);
  return path;
}

function run([program, ...parameters]: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
  return spawnSync(program, parameters, {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 15 * 60_000,
  });
}
