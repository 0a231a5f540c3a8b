import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import type { BenchContext } from '../benchContext.js';
import { insertOwner } from '../catalogue.js';
import { NotMeasured, type Figure } from '../figure.js';
import { createLiveClip, packageByFfmpeg, publishTo } from '../plainPackager.js';
import { openBenchContext } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const livePackagingFigure: Figure = {
  name: 'live-cpu',
  title: 'Live packaging of 720p30, processor time, against one raw ffmpeg',
  target: { atMost: 1.1 },
  reason: 'operate.md: the processors that a live channel needs.',
  method:
    'An encoder sends 60 s of 720p30 (3.5 Mbit/s, a keyframe every two seconds, AAC) in real time as FLV into a pipe. Ours: a process with ' +
    '`packageRun`, its ffmpeg, PostgreSQL and the disk; 720p copied, 480p and 240p encoded at the default preset. Reference: one plain ' +
    'ffmpeg that writes the same ladder as HLS of 2 s in fMP4, with the same preset, quality, bit rates and keyframes. Processor time of our ' +
    'process and its ffmpeg from the first byte on, against that of the plain ffmpeg.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of children is known on Linux only');
    const clip = await createLiveClip(bench);
    return sideBySide({
      ...{ unit: 's', rounds: bench.quick ? 1 : 3, onProgress: bench.onProgress },
      ours: () => packageByUs(bench, clip),
      reference: () => packageByFfmpeg(bench, clip),
    });
  },
};

async function packageByUs(bench: BenchContext, clip: string): Promise<number> {
  const environment = await bench.settings();
  const ownerId = await insertOwner(await openBenchContext(bench, environment));
  const env = { ...environment, OWNER_ID: ownerId, LOG_LEVEL: 'error' };
  const entry = fileURLToPath(new URL('../reference/livePackager.js', import.meta.url));
  const child = withErrorListener(fork(entry, { env, stdio: ['pipe', 'inherit', 'inherit', 'ipc'] }));
  bench.cleanups.add(() => Promise.resolve(void child.kill('SIGKILL')));
  await once(child, 'message');
  publishTo(bench, clip, child);
  const [cpuSeconds] = (await once(child, 'message')) as [number];
  return cpuSeconds;
}
