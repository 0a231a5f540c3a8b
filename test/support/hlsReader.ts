import { expect } from 'chai';
import { parseMaster, parseMedia, type ReadPart, type ReadPlaylist, type ReadSegment } from './hlsPlaylist.js';

/** Requests a URL and resolves with the response; called with the URLs as the playlists contain them. */
export type HlsFetch = (url: string) => Promise<{ readonly status: number; readonly text: string }>;

/**
 * Checks the rules of RFC 8216 for one media playlist that is read repeatedly, as a player relies on them. `check` takes
 * every version in reading order, and throws if a rule is broken.
 */
export class MediaPlaylistRules {
  readonly #known = new Map<number, ReadSegment>();
  readonly #parts = new Map<string, ReadPart>();
  #previous: ReadPlaylist | null = null;
  readonly #repeated: RegExp;

  /** `repeated`: URLs that may be listed more than once, such as those of a still image. */
  constructor(repeated = /^$/) {
    this.#repeated = repeated;
  }

  /** All parts ever listed, in listing order. */
  get parts(): ReadPart[] {
    return [...this.#parts.values()];
  }

  /** All segments ever listed, by sequence. */
  get segments(): ReadSegment[] {
    return [...this.#known.values()];
  }

  check(text: string): ReadPlaylist {
    const playlist = this.#withoutDelta(parseMedia(text));
    const { segments, targetDurationSeconds } = playlist;
    for (const segment of segments) {
      expect(Math.round(segment.durationSeconds), `duration of ${segment.uri}`).to.be.at.most(targetDurationSeconds);
      const known = this.#known.get(segment.sequence);
      if (known) expect(segment, `segment ${segment.sequence} changed`).to.deep.equal(known);
      else this.#known.set(segment.sequence, segment);
    }
    const once = segments.map(({ uri }) => uri).filter((uri) => !this.#repeated.test(uri));
    expect(new Set(once).size, 'URLs listed once').to.equal(once.length);
    this.#checkTimes(segments);
    this.#checkParts(playlist);
    if (this.#previous) this.#checkSuccession(this.#previous, playlist);
    this.#previous = playlist;
    return playlist;
  }

  /** Restores the segments that a delta update skips, as a player does. */
  #withoutDelta(playlist: ReadPlaylist): ReadPlaylist {
    if (playlist.skipped === 0) return { ...playlist, segments: playlist.segments };
    const skipped = Array.from({ length: playlist.skipped }, (_, index) => {
      const known = this.#known.get(playlist.mediaSequence + index);
      if (!known) throw new Error(`segment ${playlist.mediaSequence + index} is skipped but was never listed`);
      return known;
    });
    const before = skipped.at(-1)?.discontinuity ?? 0;
    const shift = before - playlist.discontinuitySequence;
    const shifted = <Item extends { readonly discontinuity: number }>(items: readonly Item[]): Item[] =>
      items.map((item) => ({ ...item, discontinuity: item.discontinuity + shift }));
    const { lowLatency } = playlist;
    return {
      ...{ ...playlist, skipped: 0, segments: [...skipped, ...shifted(playlist.segments)] },
      lowLatency: lowLatency && { ...lowLatency, parts: shifted(lowLatency.parts) },
    };
  }

  /** Within a discontinuity, times are continuous; across one, they never go back. */
  #checkTimes(segments: readonly ReadSegment[]): void {
    segments.forEach((segment, index) => {
      const previous = segments[index - 1];
      if (!previous) return;
      const expectedMs = previous.startsAtMs + previous.durationSeconds * 1000;
      if (segment.discontinuity === previous.discontinuity)
        expect(Math.abs(segment.startsAtMs - expectedMs), `time of ${segment.uri}`).to.be.below(250);
      else expect(segment.startsAtMs, `time of ${segment.uri}`).to.be.at.least(previous.startsAtMs);
    });
  }

  /**
   * RFC 8216bis: the durations of parts; the parts of a segment never change within the same discontinuity. The parts of a
   * discarded unfinished segment restart after a discontinuity, with other URLs.
   */
  #checkParts({ lowLatency, segments, targetDurationSeconds, hasEnded }: ReadPlaylist): void {
    if (!lowLatency) return;
    const { parts, partTargetSeconds, holdBackSeconds, hint } = lowLatency;
    expect(hasEnded, 'parts in an ended playlist').to.equal(false);
    expect(holdBackSeconds, 'PART-HOLD-BACK').to.be.at.least(3 * partTargetSeconds);
    const last = segments.at(-1);
    parts.forEach((part, index) => {
      const { sequence, durationSeconds, uri } = part;
      expect(durationSeconds, `duration of ${uri}`).to.be.at.most(partTargetSeconds);
      if (parts[index + 1]?.sequence === sequence)
        expect(durationSeconds, `duration of ${uri}`).to.be.at.least(0.85 * partTargetSeconds);
      const key = `${sequence}|${part.discontinuity}|${part.part}`;
      const known = this.#parts.get(key);
      if (known) expect(part, `part ${key} changed`).to.deep.equal(known);
      else this.#parts.set(key, part);
      expect(sequence, `segment of ${uri}`).to.be.at.most((last?.sequence ?? -1) + 1);
    });
    for (const { sequence, durationSeconds, discontinuity, startsAtMs } of segments) {
      const own = parts.filter((part) => part.sequence === sequence);
      const seconds = own.reduce((sum, part) => sum + part.durationSeconds, 0);
      if (own.length === 0) continue;
      expect(seconds, `parts of segment ${sequence}`).to.be.closeTo(durationSeconds, 0.05);
      expect(own[0]?.discontinuity).to.equal(discontinuity);
      const fromEnd = (last?.startsAtMs ?? 0) + (last?.durationSeconds ?? 0) * 1000 - startsAtMs;
      expect(fromEnd, 'parts far from the end').to.be.at.most(3 * targetDurationSeconds * 1000 + 500);
    }
    expect(
      parts.map(({ uri }) => uri),
      'hint of an unlisted part',
    ).not.to.include(hint);
  }

  #checkSuccession(previous: ReadPlaylist, playlist: ReadPlaylist): void {
    expect(playlist.targetDurationSeconds).to.equal(previous.targetDurationSeconds);
    expect(playlist.mediaSequence, 'MEDIA-SEQUENCE').to.be.at.least(previous.mediaSequence);
    expect(playlist.discontinuitySequence, 'DISCONTINUITY-SEQUENCE').to.be.at.least(previous.discontinuitySequence);
    const lastOf = ({ segments }: ReadPlaylist): number => segments.at(-1)?.sequence ?? -1;
    expect(lastOf(playlist), 'the newest segment').to.be.at.least(lastOf(previous));
    if (previous.hasEnded && playlist.hasEnded) expect(lastOf(playlist)).to.equal(lastOf(previous));
    if (playlist.mediaSequence > previous.mediaSequence && !previous.hasEnded) {
      const seconds = playlist.segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
      const isLongEnough = seconds > 3 * playlist.targetDurationSeconds - 0.1;
      expect(isLongEnough || playlist.hasEnded, `a list of ${seconds} s after segments were removed`).to.equal(true);
    }
  }
}

/**
 * A player without decoder: it reads the master playlist and, at every `read`, all its media playlists, and checks the
 * rules of RFC 8216, including equal renditions. Rejects if a rule is broken or a response is not 200.
 */
export interface HlsReader {
  /** The media playlists by name, `720p`. */
  read(): Promise<ReadonlyMap<string, ReadPlaylist>>;
  /** Reads all segments and initialisation segments that were not read before. Resolves with their number. */
  readMedia(): Promise<number>;
  /** All segments of a rendition ever listed. */
  segments(name: string): readonly ReadSegment[];
  /** All parts of a rendition ever listed. */
  parts(name: string): readonly ReadPart[];
}

/** With `isDelta`, it requests delta updates after the first read. `repeated`: see `MediaPlaylistRules`. */
export async function openHlsReader(
  masterUrl: string,
  fetchText: HlsFetch = fetchAddress,
  { isDelta = false, repeated }: { readonly isDelta?: boolean; readonly repeated?: RegExp } = {},
): Promise<HlsReader> {
  const get = async (url: string): Promise<string> => {
    const { status, text } = await fetchText(url);
    expect(status, url).to.equal(200);
    return text;
  };
  const variants = parseMaster(await get(masterUrl)).map(({ uri }) => {
    const [, name = uri] = /([^/?]+)\.m3u8/.exec(uri) ?? [];
    return { name, url: new URL(uri, masterUrl), rules: new MediaPlaylistRules(repeated) };
  });
  expect(variants, 'renditions').not.to.have.length(0);
  const fetched = new Set<string>();
  let reads = 0;
  return {
    async read() {
      const playlists = new Map<string, ReadPlaylist>();
      for (const { name, url, rules } of variants) {
        const asked = new URL(url);
        if (isDelta && reads > 0) asked.searchParams.set('_HLS_skip', 'YES');
        playlists.set(name, rules.check(await get(asked.href)));
      }
      reads += 1;
      checkAlignment(variants.map(({ rules }) => rules.segments));
      return playlists;
    },
    async readMedia() {
      const addresses = variants.flatMap(({ url, rules }) =>
        rules.segments.flatMap(({ uri, map }) => [map, uri].map((address) => new URL(address, url).href)),
      );
      const fresh = [...new Set(addresses)].filter((address) => !fetched.has(address));
      for (const address of fresh) {
        await get(address);
        fetched.add(address);
      }
      return fresh.length;
    },
    segments: (name) => variants.find((variant) => variant.name === name)?.rules.segments ?? [],
    parts: (name) => variants.find((variant) => variant.name === name)?.rules.parts ?? [],
  };
}

/** Checks that a segment has the same number, time, duration and discontinuity in all renditions. */
function checkAlignment([first = [], ...others]: readonly (readonly ReadSegment[])[]): void {
  const bySequence = new Map(first.map((segment) => [segment.sequence, segment]));
  for (const segment of others.flat()) {
    const same = bySequence.get(segment.sequence);
    if (!same) continue;
    const { discontinuity, startsAtMs, durationSeconds } = same;
    expect(segment, `segment ${segment.sequence}`).to.include({ discontinuity, startsAtMs, durationSeconds });
  }
}

async function fetchAddress(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { redirect: 'follow' });
  return { status: response.status, text: await response.text() };
}

/** A playlist may repeat slates and contents, but no live segments. */
export const repeatedFiles = /\/(cast|content)\//;
