import { expectInTime } from '../support/cast/simulatedDays.js';

describe('the playout of a cast channel over seven days', function () {
  this.timeout(60_000);

  const printed: string[] = [];
  const runs = [
    { seed: 1, zone: 'Europe/Rome', firstDay: Date.UTC(2026, 9, 22), dayCount: 7, shape: 'one day of 25 hours' },
    { seed: 2, zone: 'Europe/Rome', firstDay: Date.UTC(2027, 2, 25), dayCount: 7, shape: 'one day of 23 hours' },
    { seed: 3, zone: 'America/New_York', firstDay: Date.UTC(2026, 10, 1), dayCount: 7, shape: 'one day of 25 hours' },
  ] as const;

  for (const { shape, ...run } of runs)
    it(`follows RFC 8216 and starts programs on time: seed ${run.seed}, ${shape}`, () => {
      printed.push(`seed ${run.seed}: ${expectInTime({ ...run, hasCuts: true })}`);
    });

  it('starts programs within a second if there are no cuts', () => {
    printed.push(`no cuts: ${expectInTime({ ...runs[0], dayCount: 3, hasCuts: false })}`);
  });

  after(() => console.error(printed.map((line) => `    start errors, ${line}`).join('\n')));
});
