import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { parseMedia } from '../support/hlsPlaylist.js';
import { MediaPlaylistRules, repeatedFiles } from '../support/hlsReader.js';
import { seedBoxItem, type SeededItem } from '../support/rows.js';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { Rendition } from '../../shared/content/rendition.model.js';
import { contentSegmentSeconds } from '../../shared/media/segmentSeconds.js';
import type { Context } from '../../shared/platform/context.js';

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

const daySeconds = 24 * 3_600;
const segmentsPerChunk = 6;

/** A READY content of 24 h with rows of its segments, so that playlists can list it, but without files. */
export async function seedDayContent(ctx: Context, ownerId: string): Promise<SeededItem> {
  const item = await seedBoxItem(ctx, ownerId, { durationMs: daySeconds * 1000 });
  const { contentId } = item;
  const initKey = 'init/240p-0011.mp4';
  await ctx.db.model(Rendition).create({
    ...{ contentId, generation: 1, name: '240p', position: 0, initKey },
    ...{ width: 426, height: 240, videoBits: 1, audioBits: 1, codecs: 'avc1' },
  });
  const bytes = Array.from({ length: segmentsPerChunk }, () => 1);
  const result = { renditions: { '240p': { bytes, initKey, initBytes: 1, codecs: 'avc1' } } };
  const row = { contentId, generation: 1, state: 'DONE', priority: 0, updatedAt: ctx.clock.now() } as const;
  await ctx.db.model(ChunkRecord).create({ ...row, position: 0, folder: 'c0-a1', result });
  await ctx.db.change(
    `INSERT INTO chunks (content_id, generation, position, state, priority, folder, result, updated_at)
     SELECT content_id, generation, number, state, priority, 'c' || number || '-a1', result, updated_at
       FROM chunks, generate_series(1, $last::int) AS number WHERE content_id = $contentId AND position = 0`,
    { contentId, last: Math.ceil(daySeconds / contentSegmentSeconds / segmentsPerChunk) - 1 },
  );
  return item;
}
