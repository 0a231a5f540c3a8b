import { freePort } from '../../embedded/freePort.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { storeSegment } from '../segment.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const segment: Figure = {
  name: 'segment',
  title: 'HLS segment under a grant, against bare `express.static`',
  target: { atLeast: 0.8 },
  method:
    'The built web process sends a segment of 1.46 MB (4 s of the 720p rendition) under a full grant from the disk, against ' +
    '`express.static` on the same file in a process of its own. 10 connections.',
  async measure(bench) {
    const service = await startService(bench);
    const { url, environment, ctx } = service;
    const { key, grant } = await storeSegment(service);
    const port = await freePort();
    const folder = ctx.storage.localPath(key)?.slice(0, -key.length) ?? '';
    await bench.start('scripts/bench/reference/staticFile.js', { ...environment, PORT: String(port), FOLDER: folder });
    const seconds = bench.quick ? 2 : 6;
    const rate = async (address: string): Promise<number> =>
      (await load({ urls: [address], seconds })).megabytesPerSecond;
    return sideBySide({
      unit: 'MB/s',
      warmUps: 1,
      rounds: bench.quick ? 2 : 5,
      ours: () => rate(`${url}/s/${grant}/${key}`),
      reference: () => rate(`http://127.0.0.1:${port}/${key}`),
      onProgress: bench.onProgress,
    });
  },
};
