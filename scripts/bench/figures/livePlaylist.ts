import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { livePrefix, writeGrant } from '../../../shared/playback/grant.js';
import { freePort } from '../../embedded/freePort.js';
import type { Figure } from '../figure.js';
import { openLiveChannel } from '../liveChannel.js';
import { load } from '../load.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const viewers = 1_000;

export const livePlaylistFigure: Figure = {
  name: 'live-playlist',
  title: 'Live playlist under a grant, 1,000 viewers of one channel, against bare `express.static`',
  target: { atLeast: 0.6 },
  method:
    'The built web process sends the media playlist of a channel under 1,000 grants in turn, while a segment in three ' +
    'renditions is stored every two seconds, against `express.static` on a file with the same bytes in a process of its ' +
    'own. 10 connections. In parentheses also the ratio of a playlist with parts of half a second to one without, for viewers ' +
    'that do not wait for the next part.',
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const pathsOf = (channelId: string): string[] =>
      Array.from({ length: viewers }, () => {
        const prefix = livePrefix(channelId);
        const grant = writeGrant(ctx.config.playback.keys, {
          ...{ kind: 'live', sessionId: randomUUID(), viewerCode: null, publisherCode: user.code, prefix },
          expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
        });
        return `${url}/s/${grant}/${prefix}720p.m3u8`;
      });
    const plain = pathsOf(await openLiveChannel(bench, ctx, user.id, { hasParts: false }));
    const folder = await bench.folder();
    const name = 'playlist.m3u8';
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), await (await fetch(plain[0] ?? '')).text());
    const port = await freePort();
    await bench.start('scripts/bench/reference/staticFile.js', { ...environment, PORT: String(port), FOLDER: folder });
    const seconds = bench.quick ? 2 : 6;
    const rate = async (urls: readonly string[]): Promise<number> => (await load({ urls, seconds })).requestsPerSecond;
    const rounds = { unit: 'requests/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress };
    const measured = await sideBySide({
      ...{ ...rounds, ours: () => rate(plain) },
      reference: () => rate([`http://127.0.0.1:${port}/${name}`]),
    });
    const parted = pathsOf(await openLiveChannel(bench, ctx, user.id, { hasParts: true }));
    const text = await (await fetch(parted[0] ?? '')).text();
    if (!text.includes('#EXT-X-PART:')) throw new Error('the playlist has no parts');
    const withParts = await sideBySide({ ...rounds, ours: () => rate(parted), reference: () => rate(plain) });
    const note = `${measured.note}; with parts ${withParts.result.toFixed(2)}, ${withParts.note}`;
    return { ...measured, note };
  },
};
