import { freePort } from '../../../scripts/embedded/freePort.js';
import { cpuSecondsOf } from '../../processUsage.js';
import { NotMeasured, type Figure } from '../figure.js';
import { load } from '../load.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';
import { storeBenchSegment } from '../storedSegment.js';

export const segmentTimeFigure: Figure = {
  name: 'segment',
  title: 'HLS segment under a grant, processor time, against bare `express.static`',
  target: { atMost: 1.25 },
  reason: 'Viewers request segments more often than anything else: they bypass Express (decisions/platform.md).',
  method:
    'The built web process sends a segment of 1.46 MB (4 s of the 720p rendition) under a full grant from the disk, against ' +
    '`express.static` on the same file in a process of its own. 10 connections. Processor time of the serving process for one segment: ' +
    'the client on the same machine needs more of it, and would be what a rate measures.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
    const service = await startService(bench);
    const { key, grant } = await storeBenchSegment(service);
    const port = await freePort();
    const folder = service.ctx.storage.localPath(key)?.slice(0, -key.length) ?? '';
    const reference = await bench.start('tools/bench/reference/staticFile.js', {
      ...service.environment,
      ...{ PORT: String(port), FOLDER: folder },
    });
    const seconds = bench.quick ? 2 : 6;
    const milliseconds = async (pid: number, url: string): Promise<number> => {
      const before = cpuSecondsOf(pid);
      const requestsPerSecond = await load({ urls: [url], seconds });
      return (1000 * (cpuSecondsOf(pid) - before)) / (requestsPerSecond * seconds);
    };
    return sideBySide({
      ...{ unit: 'ms', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
      ours: () => milliseconds(service.pid, `${service.url}/s/${grant}/${key}`),
      reference: () => milliseconds(reference.pid, `http://127.0.0.1:${port}/${key}`),
    });
  },
};
