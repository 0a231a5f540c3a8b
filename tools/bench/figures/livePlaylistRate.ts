import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../scripts/embedded/freePort.js';
import { livePrefix, writeGrant } from '../../../shared/playback/grant.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { openPublishedChannel } from '../publishedChannel.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const viewers = 1_000;

export const livePlaylistFigure: Figure = {
  name: 'live-playlist',
  title: 'Live playlist under a grant, 1,000 viewers of one channel, against bare `express.static`',
  target: { atLeast: 0.6 },
  reason: 'operate.md: the viewers of one web process.',
  method:
    'The built web process sends the media playlist of a channel under 1,000 grants in turn, while a segment in three ' +
    'renditions is stored every two seconds, against `express.static` on a file with the same bytes in a process of its ' +
    'own. 10 connections.',
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const prefix = livePrefix(await openPublishedChannel(bench, ctx, user.id));
    const urls = Array.from({ length: viewers }, () => {
      const grant = writeGrant(ctx.config.playback.keys, {
        ...{ kind: 'live', sessionId: randomUUID(), viewerCode: null, publisherCode: user.code, prefix },
        expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
      });
      return `${url}/s/${grant}/${prefix}720p.m3u8`;
    });
    const folder = await bench.folder();
    const name = 'playlist.m3u8';
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), await (await fetch(urls[0] ?? '')).text());
    const port = await freePort();
    await bench.start('tools/bench/reference/staticFile.js', { ...environment, PORT: String(port), FOLDER: folder });
    const seconds = bench.quick ? 2 : 6;
    return sideBySide({
      ...{ unit: 'requests/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
      ours: () => load({ urls, seconds }),
      reference: () => load({ urls: [`http://127.0.0.1:${port}/${name}`], seconds }),
    });
  },
};
