import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeEdgeToken, type EdgeToken } from '../../../shared/playback/edgeToken.js';
import { castPrefix, livePrefix } from '../../../shared/playback/grant.js';
import type { BenchContext } from '../benchContext.js';
import { openCastChannels } from '../castChannels.js';
import { startBehindEdge, type EdgeService } from '../edge.js';
import type { Figure } from '../figure.js';
import { openLiveChannel } from '../liveChannel.js';
import { benchSegmentBytes, storeBenchSegment } from '../segment.js';
import { downloadMilliseconds, serverMilliseconds } from '../serverTime.js';
import { sideBySide } from '../sideBySide.js';

const viewers = 1_000;
const edge = 'nginx with the lines of `docs/deploy.md#edge` in front of the built web process';
const against =
  'against a file with the same bytes in the same nginx, with a line in a log for each request too. 10 connections. ' +
  'Measured is the processor time of nginx for one request of the file, divided by that of the playlist: what its rate would be on a machine that does nothing else.';

export const edgeLivePlaylistFigure: Figure = {
  name: 'edge-live-playlist',
  title: 'Live playlist through the edge, 1,000 viewers, against nginx with a static file',
  target: { atLeast: 0.9 },
  method: `${edge} sends the media playlist of a channel to 1,000 sessions in turn, while a segment in three renditions is stored every two seconds, ${against}`,
  async measure(bench) {
    const behind = await startBehindEdge(bench);
    const channelId = await openLiveChannel(bench, behind.service.ctx, behind.service.user.id, { hasParts: false });
    return comparePlaylist(bench, behind, { kind: 'live', prefix: livePrefix(channelId) }, '720p.m3u8');
  },
};

export const edgeCastPlaylistFigure: Figure = {
  name: 'edge-cast-playlist',
  title: 'Playlist of a cast channel through the edge, 1,000 viewers, against nginx with a static file',
  target: { atLeast: 0.9 },
  method: `${edge} sends the media playlist of a channel, which plays a content of an hour again and again, to 1,000 sessions in turn, ${against}`,
  async measure(bench) {
    const behind = await startBehindEdge(bench);
    const [channelId = ''] = await openCastChannels(behind.service.ctx, behind.service.user.id, 1);
    return comparePlaylist(bench, behind, { kind: 'cast', prefix: castPrefix(channelId) }, 'video-720p.m3u8');
  },
};

export const edgeSegmentFigure: Figure = {
  name: 'edge-segment',
  title: 'Processor time of the web process for each GB that the edge sends',
  target: { atMost: 0.05 },
  targetUnit: 's',
  method: `${edge} sends a segment of 1.46 MB to four processes of curl. Processor time of the web process meanwhile, whatever it is for.`,
  async measure(bench) {
    const behind = await startBehindEdge(bench);
    const { service } = behind;
    const { key, prefix } = await storeBenchSegment(service);
    const [url = ''] = addressesOf(behind, { kind: 'full', prefix }, key.slice(prefix.length));
    const used = await downloadMilliseconds({ node: [service.pid] }, url, bench.quick ? 1_000 : 8_000);
    const result = used / 1000 / (benchSegmentBytes / 1e9);
    return { unit: 's', ours: result, reference: null, result };
  },
};

type Opened = Pick<EdgeToken, 'kind' | 'prefix'>;

function addressesOf({ service, url }: EdgeService, opened: Opened, path: string): string[] {
  const { ctx, user } = service;
  const expiresSeconds = Math.floor(ctx.clock.now().getTime() / 1000) + 3600;
  const token = writeEdgeToken(ctx.config.playback.edge.keys, { ...opened, publisherCode: user.code, expiresSeconds });
  return Array.from({ length: viewers }, (_, viewer) => `${url}/e/${token}/${opened.prefix}${path}?session=${viewer}`);
}

async function comparePlaylist(bench: BenchContext, behind: EdgeService, opened: Opened, name: string) {
  const urls = addressesOf(behind, opened, name);
  const response = await fetch(urls[0] ?? '');
  const text = await response.text();
  if (response.status !== 200 || !text.includes('#EXTINF'))
    throw new Error(`the edge responds ${response.status}: ${text}`);
  await writeFile(join(behind.staticFolder, name), text);
  const seconds = bench.quick ? 2 : 6;
  const used = (of: readonly string[]): Promise<number> =>
    serverMilliseconds({ nginx: behind.nginx }, { urls: of, seconds });
  const measured = await sideBySide({
    ...{ unit: 'requests/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
    ours: async () => 1000 / (await used(urls)),
    reference: async () => 1000 / (await used([`${behind.url}/static/${name}`])),
  });
  return { ...measured, note: `${measured.note}, for each second of processor time` };
}
