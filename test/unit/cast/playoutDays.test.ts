import { expectInTime } from '../../support/cast/simulatedDays.js';

describe('what a cast channel plays in a day', function () {
  this.timeout(20_000);

  const printed: string[] = [];
  const runs = [
    { seed: 4, zone: 'Europe/Rome', firstDay: Date.UTC(2026, 9, 25), dayCount: 1, shape: 'a day of 25 hours' },
    { seed: 5, zone: 'Europe/Rome', firstDay: Date.UTC(2027, 2, 28), dayCount: 1, shape: 'a day of 23 hours' },
  ] as const;

  for (const { shape, ...run } of runs)
    it(`keeps the rules of RFC 8216 and begins programs in time: seed ${run.seed}, ${shape}`, () => {
      printed.push(`seed ${run.seed}: ${expectInTime({ ...run, hasCuts: true })}`);
    });

  it('begins programs within a second without cuts', () => {
    printed.push(`no cuts: ${expectInTime({ ...runs[0], hasCuts: false })}`);
  });

  after(() => console.error(printed.map((line) => `    start errors, ${line}`).join('\n')));
});
