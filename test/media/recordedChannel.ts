import type { TestApi } from '../support/api.js';
import type { TestContext } from '../support/context.js';
import { parseMaster, parseMedia } from '../support/hlsPlaylist.js';
import { startLoopbackServer } from '../support/loopbackServer.js';

/** All segments that a channel has listed in a period, as playlists with an end, which players read as fast as they can. */
export interface RecordedChannel {
  /** URL of the master playlist. */
  readonly address: string;
  /** The URLs of the video and the audio playlist. */
  readonly lists: { readonly video: string; readonly audio: string };
  close(): Promise<void>;
}

/**
 * Polls a stable URL while it advances the service's clock, and serves the recorded playlists. The segments are those of the
 * service.
 */
export async function recordChannel(
  { ctx, api }: { readonly ctx: TestContext; readonly api: TestApi },
  stableAddress: string,
  seconds: number,
): Promise<RecordedChannel> {
  const redirect = await fetch(stableAddress, { redirect: 'manual' });
  const masterUrl = new URL(new URL(redirect.headers.get('location') ?? '').pathname, api.url);
  const master = await (await fetch(masterUrl)).text();
  const [variant] = parseMaster(master);
  const video = new RecordedList(new URL(variant?.uri ?? '', masterUrl).href);
  const audio = new RecordedList(new URL(/TYPE=AUDIO.*URI="([^"]+)"/.exec(master)?.[1] ?? '', masterUrl).href);
  for (let second = 0; second <= seconds; second += 4) {
    await video.read();
    await audio.read();
    ctx.clock.advance(4000);
  }
  const lists: Record<string, string> = {
    '/master.m3u8': master.replace(/URI="[^"]+"/, 'URI="audio.m3u8"').replace(/\n[^#\n]+\n/, '\nvideo.m3u8\n'),
    '/video.m3u8': video.text(),
    '/audio.m3u8': audio.text(),
  };
  const { url, close } = await startLoopbackServer((request, response) => {
    response.setHeader('Content-Type', 'application/vnd.apple.mpegurl').end(lists[request.url ?? '']);
  });
  return { address: `${url}/master.m3u8`, lists: { video: `${url}/video.m3u8`, audio: `${url}/audio.m3u8` }, close };
}

class RecordedList {
  readonly #listed = new Map<number, string>();
  #map = '';
  #discontinuity = 0;

  constructor(readonly url: string) {}

  async read(): Promise<void> {
    const address = (uri: string): string => new URL(uri, this.url).href;
    for (const segment of parseMedia(await (await fetch(this.url)).text()).segments) {
      if (this.#listed.has(segment.sequence)) continue;
      const isJoin = segment.discontinuity > this.#discontinuity && this.#listed.size > 0;
      this.#listed.set(
        segment.sequence,
        [
          ...(isJoin ? ['#EXT-X-DISCONTINUITY'] : []),
          ...(segment.map === this.#map ? [] : [`#EXT-X-MAP:URI="${address(segment.map)}"`]),
          `#EXTINF:${segment.durationSeconds.toFixed(6)},`,
          address(segment.uri),
        ].join('\n'),
      );
      this.#map = segment.map;
      this.#discontinuity = segment.discontinuity;
    }
  }

  text(): string {
    const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0'];
    return [...head, '#EXT-X-PLAYLIST-TYPE:VOD', ...this.#listed.values(), '#EXT-X-ENDLIST', ''].join('\n');
  }
}
