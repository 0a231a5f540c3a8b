import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { CaptionFileError, type Cue } from '../../shared/caption/cue.js';
import { readCaptions } from '../../shared/caption/readCaptions.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { killedWithParent } from '../media/killWithParent.js';
import { speechCommand } from '../media/speechCommand.js';
import { tailLength, toolEnvironment, usualNiceness } from '../media/toolProcess.js';
import { verdictOn } from '../media/toolVerdict.js';
import type { Transcribe } from './transcript.js';

const wavName = 'speech.wav';
const vttName = 'speech.vtt';
const languageLine = /^Language:[ \t]*([\w-]{1,35})/im;
/** Of the file, in which the language is looked for. */
const headerLength = 1_000;

/** By a program of this machine, which gets a WAV file and writes a WebVTT file, perhaps with a line `Language: en` in its header. */
export function programTranscript(command: readonly string[]): Transcribe {
  return async (ctx, speech, signal) => {
    const { folder } = speech;
    await ctx.media.runner.convert(speechCommand(speech, wavName), { signal });
    const [input, output] = [join(folder, wavName), join(folder, vttName)];
    const words = command.map((word) => word.replaceAll('{input}', input).replaceAll('{output}', output));
    await runProgram(words, folder, signal);
    const file = await readFile(output);
    const [, language = ''] = languageLine.exec(file.toString('utf8', 0, headerLength)) ?? [];
    return { language, cues: await cuesOf(file) };
  };
}

/** Silence has no cues. */
async function cuesOf(file: Buffer): Promise<readonly Cue[]> {
  try {
    return await readCaptions(file);
  } catch (error) {
    if (error instanceof CaptionFileError && error.reason === 'noCues') return [];
    throw error;
  }
}

/** It gets no environment but `PATH`, where libraries are, and `HOME`. It ends with this process, and with what it has started itself. */
async function runProgram(
  [path = '', ...options]: readonly string[],
  folder: string,
  signal: AbortSignal,
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
  const end = (): void => signalGroup(child.pid, 'SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    await once(child, 'spawn');
    setPriority(child.pid as number, usualNiceness);
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal.throwIfAborted();
    const verdict = await verdictOn({ tool: path, code, killedBy, said, folder, inputs: [], signal });
    if (verdict !== null) throw verdict;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it has ended already.
  }
}
