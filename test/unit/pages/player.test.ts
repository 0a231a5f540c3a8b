import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { projectFile } from '../../support/projectFile.js';

/** A module of the player page. It runs in browsers and is not compiled. */
const pageModule = (name: string) => import(pathToFileURL(projectFile(`api/pages/embed/${name}.js`)).href);

const { betterOf, noteOf } = await pageModule('better');

const path = (grant: string, generation: number) => `/platform/s/${grant}/content/4f2c/g${generation}/master.m3u8`;

describe('player page: the better quality of a recently uploaded video', () => {
  it('is in preparation while the server reports progress', () => {
    expect(betterOf({ preparing: 0, path: path('one', 1) }, path('one', 1))).to.equal('preparing');
  });

  it('is ready if the generation in the path differs, and not if only the grant differs', () => {
    expect(betterOf({ path: path('two', 2) }, path('one', 1))).to.equal('ready');
    expect(betterOf({ path: path('two', 1) }, path('one', 1))).to.equal('none');
  });

  it('has a note in the language of the page', () => {
    const words = { 'better.preparing': 'En préparation : {{percent}}', 'better.ready': 'Prête' };
    expect(noteOf('preparing', { preparing: 42 }, words, 'fr').replaceAll(/\s/g, ' ')).to.equal(
      'En préparation : 42 %',
    );
    expect(noteOf('ready', {}, words, 'fr')).to.equal('Prête');
    expect(noteOf('none', {}, words, 'fr')).to.equal('');
  });
});

const { forcedTrackFor } = await pageModule('forcedTrack');

const english = { forced: true, lang: 'en-US' };
const german = { forced: true, lang: 'de' };
const unknown = { forced: true };
const full = { forced: false, lang: 'en' };

describe('forcedTrackFor', () => {
  const cases: readonly (readonly [string, readonly object[], object | undefined, readonly string[], unknown])[] = [
    ['the language of the audio', [full, german, english], { default: true, lang: 'en' }, ['de'], english],
    ['the language of other audio', [english, german], { default: false, lang: 'de' }, ['en'], german],
    ['none with other audio', [english, unknown], { default: false, lang: 'fr' }, ['en'], undefined],
    ['a language that the viewer prefers', [english, german], { default: true, lang: 'fr' }, ['es', 'de-AT'], german],
    ['a language that the viewer does not prefer', [english], { default: true, lang: 'fr' }, ['de'], undefined],
    ['an unknown language', [english, unknown], { default: true, lang: 'fr' }, ['de'], unknown],
    ['audio in an unknown language', [english, german], { default: true }, ['fr'], english],
    ['one audio alone', [german], undefined, ['en'], german],
    ['no forced captions', [full], undefined, ['en'], undefined],
  ];
  for (const [name, tracks, audio, languages, expected] of cases) {
    it(`returns the matching track or none: ${name}`, () =>
      expect(forcedTrackFor(tracks, audio, languages)).to.equal(expected));
  }
});

const { lineWithControls } = await pageModule('captionLine');

const cue = (line: number | 'auto', snapToLines = true, text = 'one\ntwo') => ({ line, snapToLines, text });

describe('player page: the line of a caption while controls of four lines are shown', () => {
  it('is above the controls for a bottom caption', () => {
    const placed = [cue('auto'), cue('auto', true, 'one'), cue(-1), cue(12), cue(80, false)].map((one) =>
      lineWithControls(one, { controlLines: 4, isLifted: false }),
    );
    expect(placed).to.deep.equal([-6, -5, -5, -6, 55]);
  });

  it('does not change for a top caption', () => {
    for (const top of [cue(0), cue(7), cue(10, false)])
      expect(lineWithControls(top, { controlLines: 4, isLifted: false })).to.equal(top.line);
  });

  it('moves down for a top caption, and not for a bottom caption, if the page lifts all captions', () => {
    const placed = [cue(0), cue(10, false), cue('auto'), cue(-1), cue(80, false)].map((one) =>
      lineWithControls(one, { controlLines: 4, isLifted: true }),
    );
    expect(placed).to.deep.equal([4, 35, 'auto', -1, 80]);
  });
});

const { preferencesOf } = await pageModule('preferences');

const secondsOf = (text: string): number => preferencesOf(`?t=${encodeURIComponent(text)}`, Infinity).startSeconds;
const none = { startSeconds: 0, autoplay: false, muted: false, loop: false };

describe('player page: the parameters of its address', () => {
  it('accept seconds, and hours, minutes and seconds', () => {
    const read = ['90', '12.5', '90s', '1m30s', '2m', '1h2m3s', '1h', '0'].map(secondsOf);
    expect(read).to.deep.equal([90, 12.5, 90, 90, 120, 3723, 3600, 0]);
  });

  it('start at the beginning with any other time', () => {
    for (const text of ['', '-5', '1e9', '30s1m', '1:30', ' 90', '٣', '9999999', 'h', 'NaN', '1m 30s'])
      expect(secondsOf(text), text).to.equal(0);
  });

  it('accept flags that are empty, 1 or true', () => {
    expect(preferencesOf('?vod=x', 60)).to.deep.equal(none);
    expect(preferencesOf('?autoplay&muted=1&loop=true', 60)).to.deep.equal({
      ...none,
      autoplay: true,
      muted: true,
      loop: true,
    });
    expect(preferencesOf('?autoplay=0&muted=false&loop=yes', 60)).to.deep.equal(none);
  });

  it('start at the beginning if the time is after the end', () => {
    expect(preferencesOf('?t=59', 60).startSeconds).to.equal(59);
    for (const query of ['?t=60', '?t=99h']) expect(preferencesOf(query, 60).startSeconds).to.equal(0);
    expect(preferencesOf('?t=10').startSeconds).to.equal(0);
  });

  it('are harmless with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(secondsOf(text)).to.be.within(0, 1e7);
        expect(preferencesOf(`?t=${text}&loop=${text}`, 60).startSeconds).to.be.within(0, 60);
      }),
    );
  });
});

const { firstEstimate, firstLevelOf, isFromCache, storedForm, progressOf } = await pageModule('bandwidthEstimate');

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
