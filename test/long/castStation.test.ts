import { expect } from 'chai';
import { openContext } from '../../shared/openContext.js';
import { ContextParts } from '../../shared/platform/contextParts.js';
import { readConfig } from '../../shared/settings.js';
import { publicToken, startApi, type TestApi } from '../support/api.js';
import { Random } from '../support/cast/random.js';
import { simulateStation } from './simulatedStation.js';
import { openStation } from '../support/cast/station.js';
import { repeatedFiles, MediaPlaylistRules } from '../support/hlsReader.js';
import { createTestClock, openTestContext, type TestClock, type TestContext } from '../support/context.js';
import type { ReadPlaylist, ReadSegment } from '../support/hlsPlaylist.js';

/** Simulated minutes of the channel clock. */
const minutes = Number(process.env['CAST_TEST_MINUTES'] ?? 60);
const seeds = (process.env['CAST_TEST_SEEDS'] ?? '1,2').split(',').map(Number);
const settings = { CAST_FREEZE_SECONDS: '30', CAST_MAX_HEIGHT: '720', PUBLIC_URL: 'http://127.0.0.1' };

/**
 * The real service under a simulated clock: programs of all types in the daily programming, edits at random moments, an encoder
 * that connects and disconnects; two web processes, each of which writes every playlist like a new process, the second one also
 * with a clock that is up to a second off.
 */
describe('a cast channel over a long time', function () {
  this.timeout(900_000);
  for (const seed of seeds)
    it(`shows its programs and follows RFC 8216, seed ${seed}`, () => simulate(new Random(seed)));
});

async function simulate(random: Random): Promise<void> {
  const ctx = await openTestContext(settings);
  const api = await startApi(ctx);
  let second = await openSecond(ctx);
  try {
    const station = await openStation(ctx, api);
    const simulated = await simulateStation(ctx, station, random);
    const path = new URL((await station.play(await publicToken(api))).replace('master.m3u8', 'video-720p.m3u8'))
      .pathname;
    const rules = new MediaPlaylistRules(repeatedFiles);
    const known = new Map<number, ReadSegment>();
    const started = new Set<string>();
    const errors: number[] = [];
    for (const end = ctx.clock.now().getTime() + minutes * 60_000; ctx.clock.now().getTime() < end;) {
      await simulated.step(random.between(1_000, 9_000));
      const now = ctx.clock.now().getTime();
      second.clock.advance(now - second.clock.now().getTime());
      if (random.between(1, 40) === 1) {
        await second.close();
        second = await openSecond(ctx);
      }
      if (random.between(1, 40) === 1) await simulated.edit();
      if (random.between(1, 5) === 1) await simulated.extend();
      const text = await playlistOf(api, path);
      expect(await playlistOf(second.api, path), 'the playlist of the other process').to.equal(text);
      for (const segment of rules.check(text).segments) {
        if (known.has(segment.sequence)) continue;
        known.set(segment.sequence, segment);
        expect(segment.startsAtMs + segment.durationSeconds * 1000, 'the end of a listed segment').to.be.at.most(now);
        const error = await simulated.check(segment, started);
        if (error !== null) errors.push(Math.abs(error));
      }
      second.clock.advance(random.between(-1_000, 1_000));
      expectKnown(new MediaPlaylistRules(repeatedFiles).check(await playlistOf(second.api, path)), known);
    }
    const sorted = errors.toSorted((left, right) => left - right);
    const [median = Number.NaN, worst = Number.NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    const described = `start errors: median ${median.toFixed(3)} s, worst ${worst.toFixed(3)} s`;
    console.error(`      ${started.size} programs, ${known.size} segments; ${described}`);
    expect(started.size).to.be.at.least(minutes / 4);
  } finally {
    await second.close();
    await api.close();
    await ctx.close();
  }
}

/** A process with a wrong clock may list more or fewer segments, but no different ones. */
function expectKnown({ segments }: ReadPlaylist, known: ReadonlyMap<number, ReadSegment>): void {
  for (const segment of segments)
    expect(segment, `segment ${segment.sequence}`).to.deep.equal(known.get(segment.sequence) ?? segment);
}

/** Another web process on the same database with its own clock. */
async function openSecond(ctx: TestContext): Promise<{ api: TestApi; clock: TestClock; close(): Promise<void> }> {
  const clock = createTestClock(ctx.clock.now());
  const other = await openContext(readConfig('web', ctx.env), { clock });
  const api = await startApi(other);
  return {
    ...{ api, clock },
    async close() {
      await api.close();
      await other.close();
    },
  };
}

/** The playlist that a newly started process writes. */
async function playlistOf(api: TestApi, path: string): Promise<string> {
  Object.assign(api.ctx, { parts: new ContextParts() });
  const response = await fetch(`${api.url}${path}`);
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  return text;
}
