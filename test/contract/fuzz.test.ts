import { expect } from 'chai';
import { fuzz } from '../fuzz/fuzz.js';
import { fuzzSettings } from '../fuzz/fuzzSettings.js';
import { startWorkers } from '../support/workers.js';
import { serviceFixture, useFixture } from '../support/fixtures.js';

/** The nightly `npm run fuzz` sends seventy times as many requests, with a new seed each time. */
const casesEach = 3;

describe('Every operation of /openapi.json with invalid requests', function () {
  this.timeout(240_000);
  const { ctx, api } = serviceFixture({ ...fuzzSettings, LOG_LEVEL: 'silent' });
  useFixture(() => startWorkers(ctx, { queues: ['search-sync', 'daily-programming'] }));
  const report = useFixture(() => fuzz({ url: api.url, ctx }, { seed: 20_010, cases: casesEach }));

  it('sends a declared response and never a status of 500 or above', () =>
    expect(report.findings.map(({ operation, fault, curl }) => `${operation}: ${fault}\n${curl}`).join('\n')).to.equal(
      '',
    ));

  it('mostly succeeds at least once, which proves that the requests reach its code', () => {
    const asked = Object.values(report.statuses);
    const done = asked.filter((counts) => Object.keys(counts).some((status) => status.startsWith('2')));
    expect(done.length / asked.length).to.be.above(0.6);
  });
});
