import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { checkTools } from '../../workers/media/checkTools.js';
import { StartupError } from './startupError.js';

export interface MediaTools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Package managers, with the commands that install ffmpeg without a question. */
const managers = [
  {
    program: 'apt-get',
    commands: [
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'ffmpeg'],
    ],
  },
  { program: 'apk', commands: [['apk', 'add', '--no-cache', 'ffmpeg']] },
  { program: 'dnf', commands: [['dnf', 'install', '-y', 'ffmpeg']] },
  { program: 'brew', commands: [['brew', 'install', 'ffmpeg']] },
] as const;

/**
 * Finds ffmpeg and ffprobe at FFMPEG_PATH, else on the PATH; else the system's package manager installs them, if it can
 * be used without a question.
 *
 * @throws StartupError, with the command to run, if they are missing, too old or without a needed encoder.
 */
export async function findMediaTools(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<MediaTools> {
  const ffmpegPath = env['FFMPEG_PATH'] || onPath('ffmpeg', env) || installed(env, say);
  const beside = join(dirname(ffmpegPath), 'ffprobe');
  const ffprobePath = env['FFPROBE_PATH'] || (existsSync(beside) ? beside : onPath('ffprobe', env));
  if (!ffprobePath)
    throw new StartupError(`There is no ffprobe beside ${ffmpegPath} and none on the PATH: set FFPROBE_PATH.`);
  await checkTools({ ffmpegPath, ffprobePath }).catch((error: Error) => {
    throw new StartupError(error.message);
  });
  return { ffmpegPath, ffprobePath };
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
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

/** Installs ffmpeg and returns its path. Without privileges, or a known package manager, the error says what to run. */
function installed(env: NodeJS.ProcessEnv, say: (line: string) => void): string {
  const manager = managers.find(({ program }) => onPath(program, env));
  if (!manager)
    throw new StartupError('ffmpeg is missing: install it (4.4 or later, with libx264), or set FFMPEG_PATH.');
  const isRoot = process.getuid?.() === 0;
  // Homebrew refuses to run as root and needs no privileges; the others need them.
  const own = manager.program === 'brew' ? !isRoot : isRoot;
  const sudo = !own && manager.program !== 'brew' && spawnSync('sudo', ['-n', 'true'], { env }).status === 0;
  const commands = manager.commands.map((words) => (manager.program === 'brew' ? [...words] : withSudo(words, isRoot)));
  const advice = `run: ${commands.map((words) => words.join(' ')).join(' && ')}`;
  if (!own && !sudo) throw new StartupError(`ffmpeg is missing; ${advice}`);
  say(`ffmpeg is missing: installing it with ${manager.program} ...`);
  for (const [program, ...parameters] of commands) runCommand(program as string, parameters, env, advice);
  const path = onPath('ffmpeg', env);
  if (!path) throw new StartupError(`ffmpeg is still missing after its installation; ${advice}`);
  return path;
}

function withSudo(words: readonly string[], isRoot: boolean): string[] {
  return isRoot ? [...words] : ['sudo', '-n', ...words];
}

function runCommand(program: string, parameters: readonly string[], env: NodeJS.ProcessEnv, advice: string): void {
  const done = spawnSync(program, parameters, {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 15 * 60_000,
  });
  if (done.status === 0) return;
  const why = done.stderr?.trim().split('\n').at(-1) || done.error?.message || `exit code ${done.status}`;
  throw new StartupError(`ffmpeg could not be installed (${why}); ${advice}`);
}
