import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeGrant } from '../../../shared/playback/grant.js';
import { freePort } from '../../embedded/freePort.js';
import type { BenchContext } from '../benchContext.js';
import { openCastChannels } from '../castChannels.js';
import { startChannelEngine } from '../channelEngine.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { startService, type Service } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const viewers = 1_000;
const ours =
  'The built web process sends the media playlist of a cast channel in 720p, which plays a content of an hour again and again, ' +
  'under 1,000 grants in turn';

export const castPlaylistFigure: Figure = {
  name: 'cast-playlist',
  title: 'Playlist of a cast channel under a grant, 1,000 viewers, against bare `express.static`',
  target: { atLeast: 0.6 },
  method: `${ours}, against \`express.static\` on a file with the same bytes in a process of its own. 10 connections.`,
  async measure(bench) {
    const { service, playlists } = await openChannel(bench);
    const folder = await bench.folder();
    const name = 'playlist.m3u8';
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), await textOf(playlists[0] ?? ''));
    const port = await freePort();
    const reference = 'scripts/bench/reference/staticFile.js';
    await bench.start(reference, { ...service.environment, PORT: String(port), FOLDER: folder });
    return compare(bench, playlists, [`http://127.0.0.1:${port}/${name}`]);
  },
};

export const castPlaylistEngineFigure: Figure = {
  name: 'cast-playlist-engine',
  title: 'Playlist of a cast channel under a grant, 1,000 viewers, against `eyevinn-channel-engine` 3.0.5',
  target: { atLeast: 1 },
  method:
    `${ours}, against a media playlist of channel-engine, which plays one VOD of an hour again and again, in a process of its own. ` +
    'It is installed from npm for the figure, with restify 11.1.0. 10 connections. In parentheses the segments of each playlist.',
  async measure(bench) {
    const { service, playlists } = await openChannel(bench);
    const engine = await startChannelEngine(bench, service.environment, 1);
    const measured = await compare(bench, playlists, engine.playlists);
    const [listed, reference] = await Promise.all([playlists, engine.playlists].map((all) => segmentsOf(all[0] ?? '')));
    return { ...measured, note: `${measured.note}; ${listed} and ${reference} segments` };
  },
};

async function openChannel(bench: BenchContext): Promise<{ service: Service; playlists: string[] }> {
  const service = await startService(bench);
  const { ctx, user, url } = service;
  const [channelId = ''] = await openCastChannels(ctx, user.id, 1);
  const prefix = `cast/${channelId}/`;
  const playlists = Array.from({ length: viewers }, () => {
    const grant = writeGrant(ctx.config.playback.keys, {
      ...{ kind: 'cast', sessionId: randomUUID(), viewerCode: null, publisherCode: user.code, prefix },
      expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
    });
    return `${url}/s/${grant}/${prefix}video-720p.m3u8`;
  });
  return { service, playlists };
}

function compare(bench: BenchContext, playlists: readonly string[], references: readonly string[]) {
  const seconds = bench.quick ? 2 : 6;
  const rate = async (urls: readonly string[]): Promise<number> => (await load({ urls, seconds })).requestsPerSecond;
  return sideBySide({
    ...{ unit: 'requests/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
    ours: () => rate(playlists),
    reference: () => rate(references),
  });
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200 || !text.includes('#EXTINF'))
    throw new Error(`${url} responds ${response.status}: ${text}`);
  return text;
}

async function segmentsOf(url: string): Promise<number> {
  return (await textOf(url)).match(/#EXTINF/g)?.length ?? 0;
}
