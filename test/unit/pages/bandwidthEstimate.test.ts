import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { firstEstimate, firstLevelOf, isFromCache, storedForm, progressOf } = await import(
  pathToFileURL(projectFile('api/pages/embed/bandwidthEstimate.js')).href
);

const now = Date.UTC(2026, 10, 28);
const dayMilliseconds = 86_400_000;
const levels = [600_000, 1_200_000, 4_000_000].map((bitrate) => ({ bitrate }));
/** 100 kB in half a second: 1.6 Mbit/s. */
const file = { transferSize: 100_000, responseStart: 100, responseEnd: 600 };

describe('player page: the initial bandwidth estimate', () => {
  it('is the bandwidth of the last playback for a week', () => {
    expect(firstEstimate({ stored: storedForm(5_000_000.4, now), now })).to.equal(5_000_000);
    expect(firstEstimate({ stored: storedForm(5_000_000, now - 7 * dayMilliseconds), now })).to.equal(5_000_000);
    expect(firstEstimate({ stored: storedForm(5_000_000, now - 8 * dayMilliseconds), now })).to.equal(3_000_000);
    expect(firstEstimate({ stored: storedForm(5_000_000, now + 1), now })).to.equal(3_000_000);
  });

  it('is limited by the page’s own measurement and by the browser’s value for connections slower than 4G', () => {
    const stored = storedForm(5_000_000, now);
    const slow = { effectiveType: '3g', downlink: 0.7 };
    for (const [known, estimate] of [
      [{ stored, file }, 1_600_000],
      [{ stored: storedForm(1_000_000, now), file }, 1_000_000],
      [{ stored, file, connection: slow }, 700_000],
      [{ stored, connection: { ...slow, downlink: 10 } }, 5_000_000],
      [{ stored, connection: { ...slow, effectiveType: '4g' } }, 5_000_000],
      [{ stored, connection: { effectiveType: '2g' } }, 5_000_000],
      [{ connection: slow }, 700_000],
    ] as const)
      expect(firstEstimate({ ...known, now }), JSON.stringify(known)).to.equal(estimate);
  });

  it('defaults to a file of the page, unless it is cached or a cross-origin server hides its size', () => {
    expect(firstEstimate({ stored: null, now, file })).to.equal(1_600_000);
    for (const other of [undefined, { ...file, transferSize: 0 }, { ...file, transferSize: 9000 }, {}])
      expect(firstEstimate({ stored: null, now, file: other })).to.equal(3_000_000);
    expect(firstEstimate({ stored: null, now, file: { ...file, responseEnd: 100 } })).to.equal(3_000_000);
  });

  it('does not trust stored values of other scripts, and is neither zero nor infinite', () => {
    for (const stored of ['', 'fast', '-1 5', '1e9 5', '5000000', `Infinity ${now}`, `5000000 ${now} x`])
      expect(firstEstimate({ stored, now, file }), stored).to.equal(1_600_000);
    expect(firstEstimate({ stored: storedForm(1, now), now })).to.equal(100_000);
    expect(firstEstimate({ stored: storedForm(9e10, now), now })).to.equal(1_000_000_000);
  });

  it('permits the highest level whose first segment loads in half its duration, and always the lowest', () => {
    expect(
      [0, 1_000_000, 2_400_000, 7_900_000, 8_000_000].map((estimate) => firstLevelOf(levels, estimate)),
    ).to.deep.equal([0, 0, 1, 1, 2]);
  });

  it('is computed from the loaded part of a file, with the remaining load time', () => {
    const expected = { now: 3000, expectedBytes: 400_000 };
    const loading = { start: 1000 };
    for (const [stats, estimate, missingMilliseconds] of [
      [{ loaded: 100_000, total: 300_000 }, 400_000, 4000],
      [{ loaded: 100_000, total: 0 }, 400_000, 6000],
      [{ loaded: 500_000, total: 0 }, 2_000_000, 0],
      [{ loaded: 0, total: 0 }, 100_000, Infinity],
    ] as const)
      expect(progressOf({ ...stats, loading }, expected)).to.deep.equal({ estimate, missingMilliseconds });
  });

  it('is not measured with a file from the cache', () => {
    expect(
      [{ transferSize: 0, responseStart: 5 }, { transferSize: 0, responseStart: 0 }, file, undefined].map(isFromCache),
    ).to.deep.equal([true, false, false, false]);
  });
});
