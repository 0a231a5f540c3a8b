import { freePort } from '../../embedded/freePort.js';
import { NotMeasured, type Figure } from '../figure.js';
import { storeBenchSegment } from '../segment.js';
import { serverMilliseconds } from '../serverTime.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const segmentFigure: Figure = {
  name: 'segment',
  title: 'HLS segment under a grant, processor time, against bare `express.static`',
  target: { atMost: 1.25 },
  method:
    'The built web process sends a segment of 1.46 MB (4 s of the 720p rendition) under a full grant from the disk, against ' +
    '`express.static` on the same file in a process of its own. 10 connections. Processor time of the serving process for one segment: ' +
    'the client on the same machine needs more of it, and would be what a rate measures.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
    const service = await startService(bench);
    const { url, environment, ctx } = service;
    const { key, grant } = await storeBenchSegment(service);
    const port = await freePort();
    const folder = ctx.storage.localPath(key)?.slice(0, -key.length) ?? '';
    const statics = await bench.start('scripts/bench/reference/staticFile.js', {
      ...environment,
      PORT: String(port),
      FOLDER: folder,
    });
    const seconds = bench.quick ? 2 : 6;
    const used = (pid: number, address: string) => serverMilliseconds({ node: [pid] }, { urls: [address], seconds });
    return sideBySide({
      unit: 'ms',
      warmUps: 1,
      rounds: bench.quick ? 2 : 5,
      ours: () => used(service.pid, `${url}/s/${grant}/${key}`),
      reference: () => used(statics.pid, `http://127.0.0.1:${port}/${key}`),
      onProgress: bench.onProgress,
    });
  },
};
