import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { clockBehind, countdownOf, firstMoment, momentOf, pauseBefore, positionOf, viewOf } = await import(
  pathToFileURL(projectFile('api/pages/embed/liveState.js')).href
);

const start = Date.UTC(2026, 10, 22, 20);
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
