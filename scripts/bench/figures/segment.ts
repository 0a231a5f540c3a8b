import { randomBytes, randomUUID } from 'node:crypto';
import { writeGrant } from '../../../shared/playback/grant.js';
import { freePort } from '../../embedded/freePort.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

/** Four seconds of the 720p rendition. */
const segmentBytes = Math.round((4 * (2_800_000 + 128_000)) / 8);

export const segment: Figure = {
  name: 'segment',
  title: 'HLS segment under a grant, against bare `express.static`',
  target: { atLeast: 0.8 },
  method:
    'The built web process sends a segment of 1.46 MB (4 s of the 720p rendition) under a full grant from the disk, against ' +
    '`express.static` on the same file in a process of its own. 10 connections.',
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const prefix = `content/${randomUUID()}/g1/`;
    const key = `${prefix}720p/s0.m4s`;
    await ctx.storage.put(key, randomBytes(segmentBytes), { contentType: 'video/iso.segment' });
    const grant = writeGrant(ctx.config.playback.keys, {
      ...{ kind: 'full', sessionId: randomUUID(), viewerCode: user.code, publisherCode: user.code, prefix },
      expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
    });
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
