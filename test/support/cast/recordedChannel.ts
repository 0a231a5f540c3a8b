import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApi } from '../api.js';
import type { TestContext } from '../context.js';
import { parseMaster, parseMedia } from '../hlsPlaylist.js';

/** Everything that a channel has listed in a time, as a list that has an end: players read it as fast as they can. */
export interface RecordedChannel {
  readonly address: string;
  readonly segments: number;
  close(): Promise<void>;
}

/**
 * Follows a stable address while the clock of the service is moved, and offers what was listed. The segments are those of the
 * service.
 */
export async function recordChannel(
  { ctx, api }: { readonly ctx: TestContext; readonly api: TestApi },
  stableAddress: string,
  seconds: number,
): Promise<RecordedChannel> {
  const redirect = await fetch(stableAddress, { redirect: 'manual' });
  const masterUrl = new URL(new URL(redirect.headers.get('location') ?? '').pathname, api.url);
  const [variant] = parseMaster(await (await fetch(masterUrl)).text());
  const url = new URL(variant?.uri ?? '', masterUrl).href;
  const listed = new Map<number, string>();
  let [map, discontinuity] = ['', 0];
  for (let second = 0; second <= seconds; second += 4) {
    for (const segment of parseMedia(await (await fetch(url)).text()).segments) {
      if (listed.has(segment.sequence)) continue;
      const address = (uri: string): string => new URL(uri, url).href;
      listed.set(
        segment.sequence,
        [
          ...(segment.discontinuity > discontinuity && listed.size > 0 ? ['#EXT-X-DISCONTINUITY'] : []),
          ...(segment.map === map ? [] : [`#EXT-X-MAP:URI="${address(segment.map)}"`]),
          `#EXTINF:${segment.durationSeconds.toFixed(6)},`,
          address(segment.uri),
        ].join('\n'),
      );
      ({ map, discontinuity } = segment);
    }
    ctx.clock.advance(4000);
  }
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0'];
  const text = [...head, '#EXT-X-PLAYLIST-TYPE:VOD', ...listed.values(), '#EXT-X-ENDLIST', ''].join('\n');
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/vnd.apple.mpegurl');
    response.end(text);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.m3u8`,
    segments: listed.size,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
