import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../eventually.js';
import { parseMedia } from '../hlsPlaylist.js';
import { MediaPlaylistRules, repeatedFiles } from '../hlsReader.js';

/** Polls the playlists of one channel at several web processes. */
export interface PlaylistWatch {
  /** Waits until every process lists `count` segments that no process has listed yet. */
  more(count: number): Promise<void>;
  /**
   * Fails if two processes wrote different playlists, if numbers jump, or if a URL breaks the rules of RFC 8216, also across a
   * restart of its process. Resolves with the number of compared versions.
   */
  stop(): Promise<number>;
}

const pauseMs = 150;
const moreMs = 60_000;

/** Polls the processes concurrently, and ignores processes that are down. */
export function watchPlaylists(addresses: readonly string[]): PlaylistWatch {
  const versions: string[][] = addresses.map(() => []);
  const statuses = new Set<number>();
  const stopping = new AbortController();
  const read = async (address: string, seen: string[]): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await fetch(address).catch(() => null);
      const text = (await response?.text().catch(() => null)) ?? null;
      if (response) statuses.add(response.status);
      if (response?.status === 200 && text !== null && text !== seen.at(-1)) seen.push(text);
      await sleep(pauseMs);
    }
  };
  const ended = addresses.map((address, index) => read(address, versions[index] as string[]));
  return {
    async more(count) {
      const least = Math.max(...versions.map(newestOf)) + count;
      await eventually(
        () => {
          expect(Math.min(...versions.map(newestOf)), 'newest segment').to.be.at.least(least);
        },
        { timeoutMs: moreMs, everyMs: pauseMs },
      );
    },
    async stop() {
      stopping.abort();
      await Promise.all(ended);
      expect([...statuses], 'statuses').to.deep.equal([200]);
      for (const seen of versions) {
        expect(new Set(seen).size, 'a version was repeated').to.equal(seen.length);
        expectRules(seen);
      }
      const byNumber = new Map<string, string>();
      for (const text of versions.flat()) {
        // The first and the last number identify a version, because they determine its segments.
        const key = `${/MEDIA-SEQUENCE:\d+/.exec(text)?.[0]} ${text.match(/#EXTINF/g)?.length}`;
        expect(text, `playlist ${key}`).to.equal(byNumber.get(key) ?? text);
        byNumber.set(key, text);
      }
      return byNumber.size;
    },
  };
}

/** Number of the newest listed segment; -1 before the first playlist. */
function newestOf(seen: readonly string[]): number {
  const text = seen.at(-1);
  return (text === undefined ? null : parseMedia(text).segments.at(-1)?.sequence) ?? -1;
}

function expectRules(seen: readonly string[]): void {
  const rules = new MediaPlaylistRules(repeatedFiles);
  let newest: number | null = null;
  for (const text of seen) {
    const { mediaSequence, segments } = rules.check(text);
    expect(mediaSequence, 'first sequence number').to.be.at.most((newest ?? mediaSequence) + 1);
    newest = segments.at(-1)?.sequence ?? newest;
  }
}
