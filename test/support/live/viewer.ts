import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../eventually.js';
import type { ReadPart, ReadPlaylist, ReadSegment } from '../hlsPlaylist.js';
import { openHlsReader, type HlsReader } from '../hlsReader.js';

/** A player without decoder that follows a live stream: it reads all playlists twice a second. */
export interface Viewer {
  /** Segments of the first rendition that were ever listed. Throws if a rule was broken. */
  segments(): readonly ReadSegment[];
  /** Parts of the first rendition that were ever listed, checked against the rules of low latency. */
  parts(): readonly ReadPart[];
  /** The current version of the first rendition's playlist. */
  playlist(): ReadPlaylist;
  /** Resolves when `count` more segments are listed. */
  more(count: number, timeoutMs?: number): Promise<void>;
  /**
   * Reads all listed segments. Rejects if a playlist rule was broken at any time, or if a number is
   * missing.
   */
  stop(): Promise<void>;
}

const retryMs = 200;

/**
 * Follows a stream with segments. A service that is down, or responds with 5xx, is requested again, as players do;
 * with `isStrict`, that is an error. `repeated`: see `MediaPlaylistRules`.
 */
export async function startViewer(
  masterUrl: string,
  { repeated, isStrict = false }: { readonly repeated?: RegExp; readonly isStrict?: boolean } = {},
): Promise<Viewer> {
  const open = async (): Promise<[HlsReader, ReadonlyMap<string, ReadPlaylist>]> => {
    const fetchText = isStrict ? undefined : fetchUntilThere;
    const opened = await openHlsReader(masterUrl, fetchText, repeated ? { repeated } : {});
    return [opened, await opened.read()];
  };
  const [reader, first] = await eventually(open, { timeoutMs: 30_000, everyMs: 200 });
  let playlists = first;
  const [name = ''] = playlists.keys();
  let isStopped = false;
  const follow = async (): Promise<void> => {
    while (!isStopped) {
      await sleep(500);
      playlists = await reader.read();
    }
  };
  let fault: unknown;
  const ended = follow().catch((error: unknown) => (fault = error));
  const rethrow = (): void => {
    if (fault) throw fault;
  };
  const segments = (): readonly ReadSegment[] => {
    rethrow();
    return reader.segments(name);
  };
  return {
    segments,
    parts: () => reader.parts(name),
    playlist() {
      rethrow();
      return playlists.get(name) ?? expect.fail('no playlist');
    },
    async more(count, timeoutMs = 30_000) {
      const before = segments().length;
      await eventually(
        () => {
          if (fault) return;
          expect(segments().length - before, 'more segments').to.be.at.least(count);
        },
        { timeoutMs, everyMs: 100 },
      );
      rethrow();
    },
    async stop() {
      isStopped = true;
      await ended;
      rethrow();
      await reader.readMedia();
      expectNoGap(reader, name);
    },
  };
}

function expectNoGap(reader: HlsReader, name: string): void {
  const segments = reader.segments(name).toSorted((left, right) => left.sequence - right.sequence);
  segments.forEach((segment, index) => {
    const previous = segments[index - 1];
    if (!previous) return;
    expect(segment.sequence, 'sequence').to.equal(previous.sequence + 1);
    expect(segment.discontinuity - previous.discontinuity, 'discontinuity').to.be.within(0, 1);
  });
}

/** A redirect, a segment or a playlist; the caller handles other statuses below 500. */
async function fetchUntilThere(url: string): Promise<{ status: number; text: string }> {
  for (const deadline = Date.now() + 60_000; ;) {
    const response = await fetch(url).catch(() => null);
    if (response && response.status < 500) return { status: response.status, text: await response.text() };
    if (Date.now() > deadline) return { status: response?.status ?? 0, text: '' };
    await sleep(retryMs);
  }
}
