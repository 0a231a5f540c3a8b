import { expect } from 'chai';
import {
  castMediaPlaylist,
  listedAirings,
  tickOf,
  airingEnd,
  type Airing,
} from '../../../shared/cast/playout/index.js';
import { delay, type SimulatedChannel } from './simulatedChannel.js';
import { second } from './simulatedPrograms.js';

/** A web process: the rows it has read, and the playlists made of them. */
export class SimulatedProcess {
  readonly #channel: SimulatedChannel;
  #airings: readonly Airing[] = [];

  constructor(channel: SimulatedChannel) {
    this.#channel = channel;
  }

  playlist(now: number): { readonly text: string; readonly tick: number } {
    const shown = now - delay;
    const known = this.#airings.at(-1);
    if (!known || airingEnd(known) < shown + 30 * second) this.#read(now);
    const listed = listedAirings(this.#airings, shown);
    const text = castMediaPlaylist(listed, 'joined', ({ source, index }) => ({
      uri: `${source.kind}/${'lengthSeconds' in source ? source.lengthSeconds : ''}/${nameOf(source)}/${index}`,
      map: `${nameOf(source)}-map`,
    }));
    return { text, tick: tickOf(listed) };
  }

  #read(now: number): void {
    this.#channel.extend(now);
    const { rows } = this.#channel;
    let first = rows.length;
    while (first > 0 && (rows[first - 1]?.endsAt ?? 0) > now - delay - 64 * second) first -= 1;
    this.#airings = rows.slice(first).map(({ airing }) => airing);
  }
}

function nameOf(source: Airing['source']): string {
  switch (source.kind) {
    case 'CONTENT':
      return `${source.contentId}-${source.generation}`;
    case 'CUT':
      return source.cutId;
    case 'SLATE':
      return source.slateId;
    case 'LIVE':
      return source.sessionId;
  }
}

interface PublishedSegment {
  readonly uri: string;
  readonly discontinuity: number;
  readonly date: string;
}

/** All segments ever published, as players have read them. */
export class SimulatedViewers {
  readonly #published = new Map<number, PublishedSegment>();
  readonly #texts = new Map<number, string>();
  #first = -1;
  #newest = -1;

  get count(): number {
    return this.#published.size;
  }

  read({ text, tick }: { readonly text: string; readonly tick: number }, now: number): void {
    expect(this.#texts.get(tick) ?? text, 'same playlist in the same tick').to.equal(text);
    if (this.#texts.has(tick)) return;
    this.#texts.clear();
    this.#texts.set(tick, text);
    let sequence = numberOf(text, 'EXT-X-MEDIA-SEQUENCE');
    let discontinuity = numberOf(text, 'EXT-X-DISCONTINUITY-SEQUENCE');
    expect(sequence, 'media sequence').to.be.at.least(this.#first);
    this.#first = sequence;
    let [hasMap, date, seconds] = [false, '', 0];
    for (const line of text.split('\n')) {
      if (line === '#EXT-X-DISCONTINUITY') [discontinuity, hasMap] = [discontinuity + 1, false];
      else if (line.startsWith('#EXT-X-MAP')) hasMap = true;
      else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) date = line.slice('#EXT-X-PROGRAM-DATE-TIME:'.length);
      else if (line.startsWith('#EXTINF:')) seconds += Number.parseFloat(line.slice('#EXTINF:'.length));
      if (line === '' || line.startsWith('#')) continue;
      if (!hasMap) expect.fail('no initialisation segment after a discontinuity');
      this.#publish(sequence, { uri: line, discontinuity, date });
      sequence += 1;
    }
    expect(seconds, 'at least three target durations').to.be.at.least(12);
    expect(Date.parse(date) * 1000, 'no segment of the future').to.be.below(now - delay);
    expect(sequence - 1, 'the newest number').to.be.at.least(this.#newest);
    this.#newest = sequence - 1;
  }

  #publish(sequence: number, segment: PublishedSegment): void {
    const known = this.#published.get(sequence);
    if (known) {
      if (known.uri !== segment.uri || known.discontinuity !== segment.discontinuity || known.date !== segment.date)
        expect(segment, `segment ${sequence}`).to.deep.equal(known);
      return;
    }
    this.#published.set(sequence, segment);
    const before = this.#published.get(sequence - 1);
    const step = before ? segment.discontinuity - before.discontinuity : 0;
    if (step !== 0 && step !== 1) expect.fail(`${step} discontinuities before segment ${sequence}`);
  }
}

function numberOf(text: string, tag: string): number {
  return Number(new RegExp(`#${tag}:(\\d+)`).exec(text)?.[1]);
}
