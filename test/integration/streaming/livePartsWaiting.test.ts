import { expect } from 'chai';
import { liveCaches } from '../../../shared/streaming/liveTimeline.js';
import { PartsCache } from '../../../shared/streaming/lowLatency/partsCache.js';
import { eventually } from '../../support/eventually.js';
import { expectWaiting, openPartsFixture } from '../../support/live/partsFixture.js';
import { fixtureEach } from '../../support/fixtures.js';

/** Longer than a response needs, and much shorter than a request may wait. */
const soonMs = 1_500;

describe('GET /s/{grant}/live/{scope}, requests that wait for parts', () => {
  const fixture = fixtureEach(openPartsFixture);
  const parted = fixtureEach(() => fixture.openParted());

  beforeEach(async () => {
    await parted.segments(2);
    parted.part();
  });

  it('are answered when the process stops, and no more wait', async () => {
    const { hint } = await fixture.lowLatency();
    const waiting = fixture.read('?_HLS_msn=2&_HLS_part=1');
    const announced = fixture.get(fixture.path + hint);
    await Promise.all([expectWaiting(waiting), expectWaiting(announced)]);
    const began = performance.now();
    liveCaches(fixture.ctx).parts.close();
    expect((await waiting).segments.at(-1)?.sequence).to.equal(1);
    expect((await announced).status).to.equal(503);
    expect((await fixture.read('?_HLS_msn=3')).lowLatency).to.equal(null);
    expect(performance.now() - began).to.be.below(soonMs);
  });

  it('have a limit: others get whole segments. Clients that go away make places', async () => {
    const parts = new PartsCache({ maximumWaiting: 3 });
    Object.assign(liveCaches(fixture.ctx), { parts });
    const { hint } = await fixture.lowLatency();
    const leaving = new AbortController();
    const left = ['720p.m3u8?_HLS_msn=2&_HLS_part=1', hint].map((asked) =>
      fetch(fixture.api.url + fixture.path + asked, { signal: leaving.signal }).catch(() => 'left'),
    );
    const waiting = fixture.read('?_HLS_msn=2&_HLS_part=1');
    await eventually(() => expect(parts.isFull).to.equal(true));
    const began = performance.now();
    expect((await fixture.read('?_HLS_msn=2&_HLS_part=1')).lowLatency).to.equal(null);
    expect((await fixture.get(fixture.path + hint)).status).to.equal(503);
    leaving.abort();
    expect(await Promise.all(left)).to.deep.equal(['left', 'left']);
    await eventually(() => expect(parts.isFull).to.equal(false), { timeoutMs: soonMs });
    expect(performance.now() - began).to.be.below(2 * soonMs);
    const next = ['720p', '240p'].map((name) => fixture.read('?_HLS_msn=2&_HLS_part=1', name));
    for (const one of next) await expectWaiting(one);
    parted.part();
    for (const { lowLatency } of await Promise.all([waiting, ...next]))
      expect(lowLatency?.parts.at(-1)).to.include({ sequence: 2, part: 1 });
  });
});
