import { expect } from 'chai';
import { fuzz, type FuzzReport } from '../fuzz/fuzz.js';
import { fuzzSettings } from '../fuzz/fuzzSettings.js';
import { startApi, type TestApi } from '../support/api.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { startWorkers } from '../support/workers.js';

/** `npm run fuzz`, which runs every night, sends seventy times as many requests, with a new seed each time. */
const casesEach = 3;

describe('Every operation of /openapi.json with invalid requests', function () {
  this.timeout(240_000);
  let ctx: TestContext;
  let api: TestApi;
  let workers: { close: () => Promise<void> };
  let report: FuzzReport;

  before(async () => {
    ctx = await openTestContext({ ...fuzzSettings, LOG_LEVEL: 'silent' });
    api = await startApi(ctx);
    workers = await startWorkers(ctx, { queues: ['search-sync'] });
    report = await fuzz({ url: api.url, ctx }, { seed: 20_010, cases: casesEach });
  });
  after(async () => {
    await api?.close();
    await workers?.close();
    await ctx?.close();
  });

  it('sends a declared response, and never a status of 500 or above', () => {
    expect(report.findings.map(({ operation, fault, curl }) => `${operation}: ${fault}\n${curl}`).join('\n')).to.equal(
      '',
    );
  });

  it('succeeds at least once for most operations, so that the requests reach their code', () => {
    const asked = Object.values(report.statuses);
    const done = asked.filter((counts) => Object.keys(counts).some((status) => status.startsWith('2')));
    expect(done.length / asked.length).to.be.above(0.6);
  });
});
