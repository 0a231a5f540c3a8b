import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { airing, pauseBefore, progressOf, timeOf, viewOf } = await import(
  pathToFileURL(projectFile('api/pages/embed/castState.js')).href
);

const start = Date.UTC(2026, 10, 22, 20);
const minute = 60_000;
const program = (title: string, fromMinute: number, untilMinute: number) => ({
  title,
  startsAt: start + fromMinute * minute,
  endsAt: start + untilMinute * minute,
});
const news = program('News', 0, 15);
const weather = program('Weather', 15, 20);
const late = program('Late show', 30, 90);
const status = { result: 'PLAY', now: start, validSeconds: 120, programs: [news, weather, late] };

describe('player page: the state of a cast channel', () => {
  const at = (minutes: number) => airing(status, start + minutes * minute);

  it('contains the current and the next program; the next starts in the second in which the current ends', () => {
    expect(at(-1)).to.deep.equal({ current: null, next: news });
    expect(at(0)).to.deep.equal({ current: news, next: weather });
    expect(airing(status, weather.startsAt - 1)).to.deep.equal({ current: news, next: weather });
    expect(airing(status, weather.startsAt)).to.deep.equal({ current: weather, next: late });
  });

  it('contains a break if no program runs, and nothing after the last program', () => {
    expect(at(25)).to.deep.equal({ current: null, next: late });
    expect(at(45)).to.deep.equal({ current: late, next: null });
    expect(at(90)).to.deep.equal({ current: null, next: null });
    expect(airing({ programs: [] }, start)).to.deep.equal({ current: null, next: null });
  });

  it('contains the aired fraction of the current program', () => {
    expect([-5, 0, 7.5, 15, 99].map((minutes) => progressOf(news, start + minutes * minute))).to.deep.equal([
      ...[0, 0, 0.5, 1, 1],
    ]);
  });

  it('contains a message if the channel cannot be played', () => {
    expect(viewOf(status)).to.equal('play');
    expect(viewOf({ ...status, result: 'BAND_LIMIT_EXCEEDED' })).to.equal('message');
  });
});

describe('player page: program times', () => {
  const time = (at: number, language = 'en-GB', timeZone = 'UTC') => timeOf(at, { now: start, language, timeZone });

  it('use the viewer’s time zone and language', () => {
    expect(time(start)).to.equal('20:00');
    expect(time(start, 'it', 'Europe/Rome')).to.equal('21:00');
    expect(time(start, 'en', 'America/New_York')).to.match(/^3:00\sPM$/);
  });

  it('show seconds unless they are zero, and the day if it is not today', () => {
    expect(time(start + 5000)).to.equal('20:00:05');
    expect(time(start + 5 * 60 * minute)).to.match(/^Mon,? 01:00$/);
    expect(time(start + 5 * 60 * minute, 'en-GB', 'America/New_York')).to.equal('20:00');
    expect(time(start + 10 * 24 * 60 * minute)).to.match(/^2 Dec,? 20:00$/);
  });
});

describe('player page: the reload of a channel’s programs', () => {
  const pause = (options: object): number => pauseBefore({ status, attempts: 0, random: 0.5, ...options });

  it('happens before the sent programs expire, spread over time', () => {
    expect([0, 1].map((random) => pause({ random }))).to.deep.equal([60_000, 96_000]);
    expect(pause({ attempts: 99 })).to.equal(78_000);
  });

  it('happens soon after a lost connection or a failure, and then backs off', () => {
    expect([0, 1, 9].map((attempts) => pause({ attempts, isLost: true }))).to.deep.equal([1000, 1500, 15_000]);
    expect([0, 1, 9].map((attempts) => pause({ attempts, status: null }))).to.deep.equal([2000, 3000, 30_000]);
    expect([0, 1, 9].map((attempts) => pause({ attempts, status: { ...status, result: 'MESSAGE' } }))).to.deep.equal([
      ...[3000, 4500, 60_000],
    ]);
    expect(pause({ status: { ...status, result: 'BAND_LIMIT_EXCEEDED' } })).to.equal(60_000);
  });
});
