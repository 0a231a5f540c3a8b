import { expectInTime } from '../../support/cast/simulatedDays.js';

describe('the playout of a cast channel over a day', function () {
  this.timeout(20_000);

  const printed: string[] = [];
  const runs = [
    { seed: 4, zone: 'Europe/Rome', firstDay: Date.UTC(2026, 9, 25), dayCount: 1, shape: 'a day of 25 hours' },
    { seed: 5, zone: 'Europe/Rome', firstDay: Date.UTC(2027, 2, 28), dayCount: 1, shape: 'a day of 23 hours' },
  ] as const;

  for (const { shape, ...run } of runs)
    it(`follows RFC 8216 and starts programs on time: seed ${run.seed}, ${shape}`, () => {
      printed.push(`seed ${run.seed}: ${expectInTime({ ...run, hasCuts: true })}`);
    });

  it('starts programs within a second if there are no cuts', () => {
    printed.push(`no cuts: ${expectInTime({ ...runs[0], hasCuts: false })}`);
  });

  after(() => console.error(printed.map((line) => `    start errors, ${line}`).join('\n')));
});
