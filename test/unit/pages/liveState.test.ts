import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const cast = await import(pathToFileURL(projectFile('api/pages/embed/castState.js')).href);

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
const castStatus = { result: 'PLAY', now: start, validSeconds: 120, programs: [news, weather, late] };

describe('player page: the state of a cast channel', () => {
  const at = (minutes: number) => cast.airing(castStatus, start + minutes * minute);

  it('contains the current and the next program; the next starts in the second in which the current ends', () => {
    expect(at(-1)).to.deep.equal({ current: null, next: news });
    expect(at(0)).to.deep.equal({ current: news, next: weather });
    expect(cast.airing(castStatus, weather.startsAt - 1)).to.deep.equal({ current: news, next: weather });
    expect(cast.airing(castStatus, weather.startsAt)).to.deep.equal({ current: weather, next: late });
  });

  it('contains a break if no program runs, and nothing after the last program', () => {
    expect(at(25)).to.deep.equal({ current: null, next: late });
    expect(at(45)).to.deep.equal({ current: late, next: null });
    expect(at(90)).to.deep.equal({ current: null, next: null });
    expect(cast.airing({ programs: [] }, start)).to.deep.equal({ current: null, next: null });
  });

  it('contains the aired fraction of the current program', () => {
    expect([-5, 0, 7.5, 15, 99].map((minutes) => cast.progressOf(news, start + minutes * minute))).to.deep.equal([
      ...[0, 0, 0.5, 1, 1],
    ]);
  });

  it('contains a message if the channel cannot be played', () => {
    expect(cast.viewOf(castStatus)).to.equal('play');
    expect(cast.viewOf({ ...castStatus, result: 'BAND_LIMIT_EXCEEDED' })).to.equal('message');
  });
});

describe('player page: program times', () => {
  const time = (at: number, language = 'en-GB', timeZone = 'UTC') =>
    cast.timeOf(at, { now: start, language, timeZone });

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
  const pause = (options: object): number =>
    cast.pauseBefore({ status: castStatus, attempts: 0, random: 0.5, ...options });

  it('happens before the sent programs expire, spread over time', () => {
    expect([0, 1].map((random) => pause({ random }))).to.deep.equal([60_000, 96_000]);
    expect(pause({ attempts: 99 })).to.equal(78_000);
  });

  it('happens soon after a lost connection or a failure, and then backs off', () => {
    expect([0, 1, 9].map((attempts) => pause({ attempts, isLost: true }))).to.deep.equal([1000, 1500, 15_000]);
    expect([0, 1, 9].map((attempts) => pause({ attempts, status: null }))).to.deep.equal([2000, 3000, 30_000]);
    expect(
      [0, 1, 9].map((attempts) => pause({ attempts, status: { ...castStatus, result: 'MESSAGE' } })),
    ).to.deep.equal([...[3000, 4500, 60_000]]);
    expect(pause({ status: { ...castStatus, result: 'BAND_LIMIT_EXCEEDED' } })).to.equal(60_000);
  });
});

/** The module runs in browsers, so it is not compiled. */
const { clockBehind, countdownOf, firstMoment, momentOf, pauseBefore, positionOf, viewOf } = await import(
  pathToFileURL(projectFile('api/pages/embed/liveState.js')).href
);

const before = { phase: 'BEFORE', result: 'MESSAGE', now: start - 600_000, startsAt: start, recording: null };
const waiting = { ...before, phase: 'WAITING' };
const onAir = { ...before, phase: 'ON_AIR', result: 'PLAY' };
const unpaid = { ...before, result: 'PAYMENT_REQUIRED' };
const over = { ...before, phase: 'OVER' };

describe('player page: the state of a live event', () => {
  it('follows the event from the countdown to its end', () => {
    expect([before, waiting, onAir, over].map(viewOf)).to.deep.equal(['countdown', 'waiting', 'play', 'over']);
  });

  it('requires the payment before and during the event, and not after it', () => {
    const phases = ['BEFORE', 'WAITING', 'ON_AIR', 'OVER'];
    expect(phases.map((phase) => viewOf({ ...unpaid, phase }))).to.deep.equal(['pay', 'pay', 'pay', 'over']);
  });

  it('shows a message for all other results', () => {
    expect(viewOf({ ...onAir, result: 'BAND_LIMIT_EXCEEDED' })).to.equal('message');
  });

  it('counts down to zero', () => {
    expect(countdownOf(((26 * 60 + 3) * 60 + 4) * 1000)).to.deep.equal({ days: 1, clock: '02:03:04' });
    expect(countdownOf(200)).to.deep.equal({ days: 0, clock: '00:00:01' });
    expect(countdownOf(-5)).to.deep.equal({ days: 0, clock: '00:00:00' });
  });
});

describe('player page: the reload of a live event', () => {
  const pause = (status: object | null, options: object = {}): number | null =>
    pauseBefore({ status, at: start - 600_000, attempts: 0, random: 0.5, ...options });

  it('happens at the event’s start, spread over two seconds, and once a minute before', () => {
    expect(pause(before)).to.equal(60_000);
    expect(pause(before, { at: start - 5000, random: 0 })).to.equal(5000);
    expect(pause(before, { at: start - 5000, random: 1 })).to.equal(7000);
    expect(pause(unpaid, { at: start - 5000, random: 0 })).to.equal(5000);
  });

  it('backs off while nothing is on air and after failures', () => {
    expect([0, 1, 2, 9].map((attempts) => pause(waiting, { attempts }))).to.deep.equal([2000, 3000, 4500, 15_000]);
    expect([0, 9].map((attempts) => pause(null, { attempts }))).to.deep.equal([2000, 30_000]);
    expect([0, 9].map((attempts) => pause(onAir, { attempts, isLost: true }))).to.deep.equal([1000, 15_000]);
    expect(pause(over, { attempts: 99 })).to.equal(900_000);
  });

  it('is off during playback and frequent while a payment is pending', () => {
    expect(pause(onAir)).to.equal(null);
    expect(pause(unpaid, { isAwaited: true })).to.equal(3000);
  });

  it('waits at least 0.8 s', () => {
    const status = fc.constantFrom(null, waiting, unpaid, over, { ...onAir, result: 'BAND_LIMIT_EXCEEDED' });
    fc.assert(
      fc.property(status, fc.nat(1000), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (...drawn) => {
        const [shown, attempts, random, isAwaited] = drawn;
        const milliseconds = pause(shown, { attempts, random, isAwaited });
        expect(milliseconds).to.be.within(800, 1_200_000);
      }),
    );
  });
});

describe('player page: the rewind of a live event', () => {
  it('starts at the first moment in the status, limited by the rewind duration', () => {
    const status = { rewindFrom: start, rewindSeconds: 60 };
    expect(firstMoment(status, start + 30_000)).to.equal(start);
    expect(firstMoment(status, start + 90_000)).to.equal(start + 30_000);
    expect(firstMoment({ ...status, rewindFrom: null }, start)).to.equal(start);
  });

  it('leads to the moment at the offset of the seek position', () => {
    expect(momentOf({ target: 90, position: 100, playing: start })).to.equal(start - 10_000);
    expect(momentOf({ target: -Infinity, position: 100, playing: start })).to.equal(-Infinity);
  });

  it('shows how far the viewer is behind the broadcast', () => {
    expect([0, 35.9, 605, 3723].map(clockBehind)).to.deep.equal(['-0:00', '-0:35', '-10:05', '-1:02:03']);
  });

  it('finds the position of a moment across an encoder outage', () => {
    const fragments = [
      { start: 0, duration: 2, programDateTime: start },
      { start: 2, duration: 2, programDateTime: start + 2000 },
      { start: 4, duration: 2, programDateTime: start + 30_000 },
    ];
    const positions = [-5000, 0, 2500, 10_000, 31_000, 99_000].map((after) => positionOf(fragments, start + after));
    expect(positions).to.deep.equal([0.001, 0.001, 2.5, 4, 5, 6]);
  });
});
