import { freePort } from '../../embedded/freePort.js';
import { NotMeasured, type Figure } from '../figure.js';
import { startNginx } from '../nginx.js';
import { benchSegmentBytes, storeBenchSegment } from '../segment.js';
import { downloadMilliseconds, type Servers } from '../serverTime.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const directFigure: Figure = {
  name: 'direct',
  title: 'Processor time for each GB of segments that the web process sends itself, against nginx',
  target: { atMost: 2 },
  method:
    'The built web process sends a segment of 1.46 MB under a full grant from the disk (`PLAYBACK_DELIVERY=direct`), against nginx with ' +
    '`sendfile`, which does not copy it into its own memory. Four processes of curl. Processor time of the serving process.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
    const service = await startService(bench);
    const { key, grant } = await storeBenchSegment(service);
    const files = service.ctx.storage.localPath(key)?.slice(0, -key.length) ?? '';
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const site = `server { listen 127.0.0.1:${port}; location /direct/ { alias ${files}; sendfile on; } }`;
    const { pid: nginx } = await startNginx(bench, site, url);
    const requests = bench.quick ? 400 : 2_000;
    const perGigabyte = async (servers: Servers, address: string): Promise<number> =>
      (await downloadMilliseconds(servers, address, requests)) / 1000 / (benchSegmentBytes / 1e9);
    return sideBySide({
      ...{ unit: 's', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
      ours: () => perGigabyte({ node: [service.pid] }, `${service.url}/s/${grant}/${key}`),
      reference: () => perGigabyte({ nginx }, `${url}/direct/${key}`),
    });
  },
};
