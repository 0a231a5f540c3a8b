import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { BenchContext } from './benchContext.js';

/** As in `workers/media/ffmpegRunner.ts`, so that other load affects both sides equally. */
const niceness = 15;

/** Runs one ffmpeg process in a folder. It is stopped after the figure. */
export async function runFfmpeg(
  bench: Pick<BenchContext, 'tools' | 'cleanups'>,
  folder: string,
  parameters: readonly string[],
): Promise<void> {
  const all = ['-v', 'error', '-nostdin', ...parameters];
  const child = withErrorListener(
    spawn(bench.tools.ffmpegPath, all, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true }),
  );
  if (child.pid) setPriority(child.pid, niceness);
  const closed = once(child, 'close') as Promise<[number | null]>;
  bench.cleanups.add(async () => {
    child.kill('SIGKILL');
    await closed.catch(() => {});
  });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const [code] = await closed;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${stderr.slice(-2_000)}`);
}
