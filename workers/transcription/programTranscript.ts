import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CaptionFileError, maxCaptionBytes, type Cue } from '../../shared/caption/cue.js';
import { readCaptions } from '../../shared/caption/readCaptions.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import {
  killedWithParent,
  speechCommand,
  lowerPriority,
  tailLength,
  toolEnvironment,
  usualNiceness,
  verdictOn,
} from '../media/index.js';
import { PermanentJobError } from '../runtime/jobTypes.js';
import type { Transcribe } from './transcript.js';

const wavName = 'speech.wav';
const vttName = 'speech.vtt';
const languageLine = /^Language:[ \t]*([\w-]{1,35})/im;
/** Length of the beginning of the file in which the language is searched. */
const headerLength = 1_000;
/** Maximum size of the program's output, which is checked while it runs. */
const maxFileBytes = 2 * maxCaptionBytes;
const checkEveryMs = 1_000;

/**
 * Transcribes with a program on this machine, which reads a WAV file and writes a WebVTT file, optionally with a line `Language:
 * en` in its header.
 */
export function programTranscript(command: readonly string[]): Transcribe {
  return async (ctx, { speech, signal }) => {
    const { folder } = speech;
    await ctx.media.runner.convert(speechCommand(speech, wavName), { signal });
    const [input, output] = [join(folder, wavName), join(folder, vttName)];
    const words = command.map((word) => word.replaceAll('{input}', input).replaceAll('{output}', output));
    await runProgram(words, { folder, output, signal });
    const [, language = ''] = languageLine.exec(await headerOf(output)) ?? [];
    return { language, cues: await cuesOf(output) };
  };
}

async function headerOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerLength), 0, headerLength, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Empty for silence. */
async function cuesOf(path: string): Promise<readonly Cue[]> {
  try {
    return (await readCaptions(withErrorListener(createReadStream(path)), { isLenient: true })).cues;
  } catch (error) {
    if (error instanceof CaptionFileError && error.reason === 'noCues') return [];
    throw error;
  }
}

/**
 * Runs the program with only `PATH`, `LD_LIBRARY_PATH` and `HOME` as environment. Kills its process group at an abort, and the
 * program when this process ends.
 */
async function runProgram(
  [path = '', ...options]: readonly string[],
  { folder, output, signal }: { readonly folder: string; readonly output: string; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const [program, ...words] = killedWithParent(path);
  const { HOME } = process.env;
  const child = withErrorListener(
    spawn(program, [...words, ...options], {
      cwd: folder,
      env: { ...toolEnvironment(), ...(HOME ? { HOME } : {}) },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    }),
  );
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-tailLength)));
  child.once('spawn', () => lowerPriority(child.pid, usualNiceness));
  const end = (): void => signalGroup(child.pid, 'SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  const check = setInterval(() => void isTooLarge(output).then((isSo) => isSo && end()), checkEveryMs);
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal.throwIfAborted();
    if (await isTooLarge(output)) throw new PermanentJobError(`${path} wrote more than ${maxFileBytes} bytes`);
    const verdict = await verdictOn({ tool: path, code, killedBy, said, folder, inputs: [], signal });
    if (verdict !== null) throw verdict;
  } finally {
    clearInterval(check);
    signal.removeEventListener('abort', end);
  }
}

/** The output may not exist yet. */
async function isTooLarge(path: string): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return size > maxFileBytes;
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The process group has ended already.
  }
}
