import { expect } from 'chai';
import { sendsMedia, silentAfterMs, type OtherRun } from '../../../shared/streaming/otherPublisher.service.js';

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
