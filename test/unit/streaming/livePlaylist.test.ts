import { expect } from 'chai';
import fc from 'fast-check';
import type { ListedSegment } from '../../../shared/streaming/listedSegment.js';
import { liveMasterPlaylist } from '../../../shared/streaming/liveMaster.js';
import { liveMediaPlaylist, rewindWindow, slidingWindow, withoutGaps } from '../../../shared/streaming/livePlaylist.js';
import { parseMaster, parseMedia } from '../../support/hlsPlaylist.js';
import { MediaPlaylistRules } from '../../support/hlsReader.js';
import { testRendition } from '../../support/liveStreams.js';

const names = ['720p', '480p', '240p'] as const;

function segment(sequence: number, changes: Partial<ListedSegment> = {}): ListedSegment {
  return {
    ...{ sessionId: 'session', runId: 'run', sequence, discontinuity: 0 },
    ...{ startsAtMs: sequence * 2000, durationMicroseconds: 2e6 },
    renditions: names.map((name) => ({ name, file: `${name}-${sequence}.m4s`, map: `init-${name}.mp4`, bytes: 1 })),
    ...changes,
  };
}

const listOf = (segments: readonly ListedSegment[], rendition = '720p', hasEnded = false): string =>
  liveMediaPlaylist({ segments, rendition, hasEnded, canSkip: false });

describe('playlists of a live stream', () => {
  it('identify segments and initialisation segments by session, number and rendition', () => {
    const text = listOf([segment(7), segment(8)]);
    expect(text.split('\n')).to.deep.equal([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-MEDIA-SEQUENCE:7',
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MAP:URI="session/init/init-720p.mp4"',
      '#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:14.000Z',
      '#EXTINF:2.000000,',
      'session/7/720p.m4s',
      '#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:16.000Z',
      '#EXTINF:2.000000,',
      'session/8/720p.m4s',
      '',
    ]);
    expect(listOf([segment(7)], '720p', true)).to.match(/\n#EXT-X-ENDLIST\n$/);
  });

  it('repeat EXT-X-MAP after every discontinuity and count removed discontinuities', () => {
    const segments = [
      segment(1, { discontinuity: 3 }),
      segment(2, { discontinuity: 4 }),
      segment(3, { discontinuity: 6 }),
    ];
    const text = listOf(segments);
    expect(text.match(/#EXT-X-MAP/g)).to.have.length(3);
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).to.have.length(3);
    expect(parseMedia(text).segments.map(({ discontinuity }) => discontinuity)).to.deep.equal([3, 4, 6]);
    expect(parseMedia(listOf(segments.slice(1))).discontinuitySequence).to.equal(4);
  });

  it('list the rendition of the nearest height if a run lacks the requested one', () => {
    const uriOf = (rendition: string): string | undefined =>
      parseMedia(listOf([segment(1)], rendition)).segments[0]?.uri;
    const uris = ['1080p', '720p', '500p', '144p', '0p'].map(uriOf);
    const listed = ['720p', '720p', '480p', '240p', '240p'];
    expect(uris).to.deep.equal(listed.map((name) => `session/1/${name}.m4s`));
  });

  it('contain the newest eight segments of the newest session', () => {
    const segments = Array.from({ length: 20 }, (_, sequence) => segment(sequence));
    expect(slidingWindow(segments).map(({ sequence }) => sequence)).to.deep.equal([12, 13, 14, 15, 16, 17, 18, 19]);
    const next = [...segments, segment(20, { sessionId: 'next' })];
    expect(slidingWindow(next).map(({ sequence }) => sequence)).to.deep.equal([20]);
    expect(slidingWindow([])).to.deep.equal([]);
  });

  it('rewind to a time and never list fewer segments than without rewind', () => {
    const segments = Array.from({ length: 20 }, (_, sequence) => segment(sequence));
    const from = (ms: number): number[] => rewindWindow(segments, ms).map(({ sequence }) => sequence);
    expect(from(0)).to.have.length(20);
    expect(from(5000)[0]).to.equal(3);
    expect(from(6000)[0]).to.equal(3);
    expect(from(1e9)).to.deep.equal([12, 13, 14, 15, 16, 17, 18, 19]);
    expect(rewindWindow([], 0)).to.deep.equal([]);
  });

  it('list only segments with consecutive numbers', () => {
    const sequences = (numbers: readonly number[]): number[] =>
      withoutGaps(numbers.map((sequence) => segment(sequence))).map(({ sequence }) => sequence);
    expect(sequences([1, 2, 3])).to.deep.equal([1, 2, 3]);
    expect(sequences([1, 2, 5, 6])).to.deep.equal([5, 6]);
    expect(sequences([1, 3, 5])).to.deep.equal([5]);
    expect(sequences([])).to.deep.equal([]);
  });

  it('omit the old segments of a long list in a delta update', () => {
    const segments = Array.from({ length: 100 }, (_, sequence) => segment(sequence));
    const whole = liveMediaPlaylist({ segments, rendition: '720p', hasEnded: false, canSkip: true });
    const delta = liveMediaPlaylist({ segments, rendition: '720p', hasEnded: false, canSkip: true, isDelta: true });
    expect(parseMedia(delta)).to.include({ mediaSequence: 0, skipped: 94 });
    expect(parseMedia(delta).segments).to.have.length(6);
    expect(delta.length).to.be.below(whole.length / 10);
    expect(whole).to.include('#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12.0');
  });

  it('describe the newest run’s segments in the master playlist, except short ones', () => {
    const listed = (sequence: number, bytes: number, more: Partial<ListedSegment> = {}): ListedSegment => ({
      ...segment(sequence),
      ...{ runId: 'newest', durationMicroseconds: 2_000_000 },
      renditions: [{ name: '720p', file: '', map: '', bytes }],
      ...more,
    });
    const segments = [
      listed(0, 9_000_000, { runId: 'older' }),
      listed(1, 250_000),
      listed(2, 750_000),
      listed(3, 500_000, { durationMicroseconds: 500_000 }),
    ];
    const [first] = parseMaster(liveMasterPlaylist([testRendition('720p')], segments));
    expect(first?.attributes).to.match(/^BANDWIDTH=3000000,AVERAGE-BANDWIDTH=2000000,/);
  });

  it('begin with the middle rendition in the master playlist', () => {
    const ladder_ = names.map((name) => testRendition(name));
    expect(parseMaster(liveMasterPlaylist(ladder_, [segment(0)])).map(({ uri }) => uri)).to.deep.equal([
      '480p.m3u8',
      '720p.m3u8',
      '240p.m3u8',
    ]);
    const [first] = parseMaster(liveMasterPlaylist(ladder_.slice(0, 1), [], { query: '?dvr=1' }));
    expect(first).to.deep.equal({
      uri: '720p.m3u8?dvr=1',
      attributes:
        'BANDWIDTH=2160000,AVERAGE-BANDWIDTH=2160000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000,CLOSED-CAPTIONS=NONE',
    });
  });
});

/** The nightly run uses more: each run reads a few hundred playlists. */
const numRuns = process.env['TEST_TABLES'] === 'whole' ? 300 : 25;

/** One event in the life of a stream. */
type Step =
  | { readonly kind: 'segments'; readonly count: number; readonly durationMs: number }
  | { readonly kind: 'run'; readonly awaySeconds: number; readonly ladder: readonly string[] }
  | { readonly kind: 'drop rendition' }
  | { readonly kind: 'session'; readonly ladder: readonly string[] }
  | { readonly kind: 'end' };

const ladder = fc.constantFrom<readonly string[]>(
  names,
  ['720p', '240p'],
  ['480p', '240p'],
  ['240p'],
  ['1080p', '720p'],
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('segments' as const),
      count: fc.integer({ min: 1, max: 12 }),
      durationMs: fc.constantFrom(2000, 2002, 1001, 2480, 340),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('run' as const), awaySeconds: fc.integer({ min: 0, max: 59 }), ladder }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop rendition' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('session' as const), ladder }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
);

/** A model of a stream's rows: numbers continue over all sessions; a run's start and dropped renditions are discontinuities. */
class StreamModel {
  segments: ListedSegment[] = [];
  isOpen = true;
  #session = 0;
  #isNext = false;
  #run = 0;
  #discontinuity = -1;
  #begins = true;
  #ladder: readonly string[] = names;
  #nowMs = Date.parse('2026-11-22T10:00:00Z');

  take(step_: Step): void {
    if (step_.kind === 'segments' && (this.isOpen || this.#isNext))
      for (let index = 0; index < step_.count; index += 1) this.#store(step_.durationMs);
    if (step_.kind === 'run' && this.isOpen) this.#open(step_.ladder, step_.awaySeconds);
    if (step_.kind === 'drop rendition' && this.#ladder.length > 1) this.#open(this.#ladder.slice(1), 0);
    if (step_.kind === 'session') {
      this.#isNext = true;
      this.#session += 1;
      this.#open(step_.ladder, 300);
    }
    if (step_.kind === 'end') this.isOpen = false;
  }

  #open(ladder_: readonly string[], awaySeconds: number): void {
    this.#run += 1;
    this.#ladder = ladder_;
    this.#begins = true;
    this.#nowMs += awaySeconds * 1000;
  }

  #store(durationMs: number): void {
    // An ended playlist remains ended until the next session has a segment.
    if (this.#isNext) this.isOpen = true;
    this.#isNext = false;
    if (this.#begins) this.#discontinuity += 1;
    this.#begins = false;
    const sequence = (this.segments.at(-1)?.sequence ?? -1) + 1;
    this.segments.push({
      ...{ sessionId: `session${this.#session}`, runId: `run${this.#run}`, sequence },
      ...{ discontinuity: this.#discontinuity, startsAtMs: this.#nowMs },
      durationMicroseconds: durationMs * 1000,
      renditions: this.#ladder.map((name) => ({
        ...{ name, file: `${name}-${sequence}.m4s`, map: `init-${name}-${this.#run}.mp4`, bytes: 1000 },
      })),
    });
    this.#nowMs += durationMs;
  }
}

describe('playlists of a live stream over time', () => {
  it('follow RFC 8216 across runs, lost connections, takeovers, dropped renditions, new sessions and retention', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('720p', '480p', '240p', '1080p'),
        (steps, rendition) => {
          const model = new StreamModel();
          const readers = {
            sliding: new MediaPlaylistRules(),
            rewind: new MediaPlaylistRules(),
            delta: new MediaPlaylistRules(),
          };
          const read = (): void => {
            const { segments } = model;
            if (segments.length === 0) return;
            const hasEnded = !model.isOpen;
            readers.sliding.check(
              liveMediaPlaylist({ segments: slidingWindow(segments), rendition, hasEnded, canSkip: false }),
            );
            const newestMs = segments.at(-1)!.startsAtMs;
            const rewind = { segments: rewindWindow(segments, newestMs - 60_000), rendition, hasEnded, canSkip: true };
            const whole = readers.rewind.check(liveMediaPlaylist(rewind));
            // A player requests a delta update only while its playlist is recent.
            const known = readers.delta.segments.at(-1)?.sequence;
            const added = segments.filter(({ sequence }) => sequence > (known ?? -1));
            const addedSeconds = added.reduce((sum, { durationMicroseconds }) => sum + durationMicroseconds / 1e6, 0);
            const isDelta = known !== undefined && addedSeconds < 6;
            expect(readers.delta.check(liveMediaPlaylist({ ...rewind, isDelta })).segments).to.deep.equal(
              whole.segments,
            );
          };
          for (const each of steps) {
            if (each.kind === 'session') {
              // A new session follows one whose end was listed.
              model.take({ kind: 'end' });
              read();
            }
            model.take(each);
            read();
          }
          const listed = new Map(
            readers.rewind.segments.map(({ sequence, discontinuity }) => [sequence, discontinuity]),
          );
          for (const { sequence, discontinuity } of model.segments)
            if (listed.has(sequence))
              expect(listed.get(sequence), `discontinuity of ${sequence}`).to.equal(discontinuity);
        },
      ),
      { numRuns },
    );
  });
});
