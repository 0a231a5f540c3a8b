import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { toolEnvironment, killedWithParent } from '../../media/index.js';

const maxErrorLength = 2_000;

/** One ffmpeg process that reads from its standard input. It has the priority of this process, and is killed with it. */
export interface EncoderProcess {
  readonly input: Writable;
  /** The output of its file descriptors, from 3 on. */
  readonly outputs: readonly Readable[];
  /** Resolves when the process has ended and all its output was read. */
  readonly ended: Promise<{ readonly isClean: boolean; readonly detail: string }>;
  kill(): void;
}

export function startEncoder(path: string, parameters: readonly string[], pipes: number): EncoderProcess {
  const [program, ...words] = killedWithParent(path);
  const child: ChildProcess = withErrorListener(
    spawn(program, [...words, ...parameters], {
      env: toolEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe', ...Array.from({ length: pipes }, () => 'pipe' as const)],
    }),
  );
  let complaint = '';
  child.stderr?.on('data', (data: Buffer) => (complaint = (complaint + data.toString()).slice(-maxErrorLength)));
  const ended = new Promise<{ isClean: boolean; detail: string }>((resolve) => {
    child.once('error', (error) => resolve({ isClean: false, detail: `${path} cannot be run: ${error.message}` }));
    child.once('close', (code, signal) =>
      resolve({ isClean: code === 0, detail: `ffmpeg ended with ${code ?? signal}\n${complaint}`.trim() }),
    );
  });
  // Pipes of a process that has ended may be reset; `ended` reports how it ended.
  for (const stream of child.stdio) stream?.on('error', () => {});
  return {
    input: child.stdin as Writable,
    outputs: child.stdio.slice(3) as Readable[],
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
}
