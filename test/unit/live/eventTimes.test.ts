import { expect } from 'chai';
import { changedTimes, errorsOfTimes, isOnDaysOf } from '../../../shared/live/eventTimes.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';
import { sendsMedia, silentAfterMs, type OtherRun } from '../../../shared/streaming/otherPublisher.service.js';
import { pullUrlOf } from '../../../shared/streaming/pullUrl.js';
import { exceptAfterFailure } from '../../../workers/live/repeat.js';

const at = (time: string) => new Date(`2026-11-22T${time}Z`);
const hourMs = 3_600_000;

describe('The times of live events', () => {
  it('end after the start and at most 24 hours later', () => {
    const codeOf = (startsAt: Date, endsAt: Date) => errorsOfTimes({ startsAt, endsAt }).map(({ code }) => code);
    const start = at('20:00:00');
    const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);
    expect(codeOf(start, after(1))).to.deep.equal([]);
    expect(codeOf(start, after(24 * hourMs))).to.deep.equal([]);
    expect(codeOf(start, after(24 * hourMs + 1))).to.deep.equal(['tooLong']);
    expect(codeOf(start, start)).to.deep.equal(['endBeforeStart']);
    expect(codeOf(start, after(-1))).to.deep.equal(['endBeforeStart']);
  });

  it('keep the stored moment if a client sends it back in whole seconds', () => {
    const present = { startsAt: at('20:00:00.877'), endsAt: at('21:00:00.877') };
    expect(changedTimes(present, { startsAt: at('20:00:00'), endsAt: at('21:00:00') })).to.deep.equal(present);
    const moved = { startsAt: at('19:59:59'), endsAt: at('21:00:02') };
    expect(changedTimes(present, moved)).to.deep.equal(moved);
  });

  const timesFrom = (startsAt: Date) => ({ startsAt, endsAt: new Date(startsAt.getTime() + hourMs) });
  const isOnDay = (bought: readonly Date[], present: Date, next: Date, offsetMs: number) =>
    isOnDaysOf(bought, { present: timesFrom(present), next: timesFrom(next), zone: fixedZone(offsetMs) });

  it('have the day of the local time', () => {
    const midnight = new Date('2026-11-23T00:00:00Z');
    const isSameDay = (one: Date, other: Date, offsetMs: number) => isOnDay([], one, other, offsetMs);
    expect(isSameDay(at('23:59:59'), midnight, 0)).to.equal(false);
    expect(isSameDay(at('23:59:59'), midnight, hourMs)).to.equal(true);
    expect(isSameDay(at('00:00:00'), at('23:59:59'), 0)).to.equal(true);
    expect(isSameDay(at('00:00:00'), at('23:59:59'), -hourMs)).to.equal(false);
    expect(isSameDay(new Date(-1), new Date(0), 0), 'before and after 1970').to.equal(false);
  });

  it('of a sold event stay on the day of every start that buyers have paid for', () => {
    const [noon, next] = [at('12:00:00'), new Date('2026-11-23T11:00:00Z')];
    const evening = new Date('2026-11-23T20:00:00Z');
    expect(isOnDay([noon], next, evening, 0)).to.equal(false);
    expect(isOnDay([noon], next, at('23:00:00'), 0)).to.equal(true);
    expect(isOnDay([noon, next], next, at('23:00:00'), 0)).to.equal(false);
    expect(isOnDay([noon, next], next, at('23:00:00'), -12 * hourMs)).to.equal(true);
    // Buyers paid for a past day: the event was moved before it was on air.
    expect(isOnDay([noon], new Date('2026-11-23T12:00:00Z'), evening, 0)).to.equal(true);
  });
});

describe('pullUrlOf', () => {
  it('replaces the placeholders, and nothing else', () => {
    for (const [template, app, streamPath, url] of [
      ['rtmp://10.0.0.5/{app}/{streamPath}', 'live', 'news.1', 'rtmp://10.0.0.5/live/news.1'],
      ['srt://h:8890?streamid=read:{streamPath}', '', 'a-b_c', 'srt://h:8890?streamid=read:a-b_c'],
      ['rtmp://h/{app}/{streamPath}', 'live/eu', 'x', 'rtmp://h/live/eu/x'],
    ] as const)
      expect(pullUrlOf(template, { app, streamPath })).to.equal(url);
  });

  it('rejects an application name that could change the address', () => {
    const paths = ['', '.', '..', '../x', 'a/../b', 'a//b', '/a', 'a/'];
    for (const app of [...paths, '@evil', 'a?b', 'a#b', 'a b', 'a%2f', 'ä', 'x'.repeat(65)])
      expect(pullUrlOf('rtmp://h/{app}/{streamPath}', { app, streamPath: 'x' }), app).to.equal(null);
  });

  it('escapes any stream path, so that the host does not change', () => {
    for (const streamPath of ['@evil/x', '?a=b', '#x', 'a/../b', ' ', '\n']) {
      const url = new URL(pullUrlOf('rtmp://h:1935/live/{streamPath}', { app: '', streamPath }) ?? '');
      expect([url.host, url.search, url.hash], streamPath).to.deep.equal(['h:1935', '', '']);
    }
  });
});

describe('the sweep of a live process', () => {
  it('is skipped once when the database recovers, so that lease owners can renew first', async () => {
    const calls: string[] = [];
    let isDown = false;
    const call = (name: string) => async () => {
      calls.push(isDown ? `${name} fails` : name);
      if (isDown) throw new Error('connection refused');
    };
    const work = exceptAfterFailure(call('sweep'), call('test'));
    const round = (): Promise<unknown> => work().catch(() => {});
    await round();
    isDown = true;
    await round();
    await round();
    isDown = false;
    await round();
    await round();
    expect(calls).to.deep.equal(['sweep', 'sweep fails', 'test fails', 'test', 'sweep']);
  });
});

const run: OtherRun = { id: '', source: 'RTMP', silentMs: 0, hasMedia: true, hasLeft: false, isPackagedHere: true };

/** Whether the other encoder sends media, `waitedMs` after the second encoder has connected. Null: undecided. */
const cases: readonly (readonly [what: string, other: Partial<OtherRun>, waitedMs: number, sends: boolean | null])[] = [
  ['media since the second encoder has connected', { silentMs: 20 }, 1_100, true],
  ['media that was in transit', { silentMs: 600 }, 1_100, null],
  ['silent for two seconds, such as at a first reconnect', { silentMs: 2_000 }, 0, null],
  ['silent for long, in this process', { silentMs: silentAfterMs }, 0, false],
  [
    'silent for long, in another process whose state may be outdated',
    { silentMs: silentAfterMs, isPackagedHere: false },
    0,
    null,
  ],
  [
    'silent for long in another process, a second later',
    { silentMs: silentAfterMs + 1_000, isPackagedHere: false },
    1_000,
    false,
  ],
  ['disconnected', { hasLeft: true }, 0, false],
  ['reported by an external server', { source: 'REPORTED' }, 0, false],
  ['pulled, before its first media', { source: 'PULL', hasMedia: false, silentMs: 15_000 }, 0, true],
  ['pulled, without media for long', { source: 'PULL', hasMedia: false, silentMs: 21_000 }, 0, false],
  ['pulled, with media until now', { source: 'PULL', silentMs: 100 }, 1_200, true],
];

describe('sendsMedia', () => {
  for (const [what, other, waitedMs, sends] of cases)
    it(`returns ${sends} for a run: ${what}`, () => {
      expect(sendsMedia({ ...run, ...other }, waitedMs)).to.equal(sends);
    });

  it('returns a decision within eight seconds for any behavior of the other encoder', () => {
    for (const isPackagedHere of [true, false])
      for (let lastMediaAtMs = -10_000; lastMediaAtMs <= 7_500; lastMediaAtMs += 100)
        expect(
          sendsMedia({ ...run, isPackagedHere, silentMs: 7_500 - lastMediaAtMs }, 7_500),
          `${lastMediaAtMs}`,
        ).not.to.equal(null);
  });
});
