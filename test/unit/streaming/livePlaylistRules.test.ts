import { expect } from 'chai';
import type { ListedSegment } from '../../../shared/streaming/listedSegment.js';
import fc from 'fast-check';
import { liveMediaPlaylist, rewindWindow, slidingWindow } from '../../../shared/streaming/livePlaylist.js';
import { MediaPlaylistRules } from '../../support/hlsReader.js';

const names = ['720p', '480p', '240p'] as const;
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
