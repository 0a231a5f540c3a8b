import { expect } from 'chai';
import { fuzz, type FuzzReport } from '../../scripts/fuzz/fuzz.js';
import { fuzzSettings } from '../../scripts/fuzz/fuzzSettings.js';
import { startApi, type TestApi } from '../support/api.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { startWorkers } from '../support/workers.js';

/** `npm run fuzz` asks forty times as much, with another seed every time. */
const casesEach = 5;

describe('Every operation of the description, asked for the wrong things', () => {
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

  it('answers what it declares, and never with a fault of ours', () => {
    expect(report.findings.map(({ operation, fault, curl }) => `${operation}: ${fault}\n${curl}`).join('\n')).to.equal(
      '',
    );
  });

  it('reaches what it asks for: most operations do what they are for now and then', () => {
    const asked = Object.values(report.statuses);
    const done = asked.filter((counts) => Object.keys(counts).some((status) => status.startsWith('2')));
    expect(done.length / asked.length).to.be.above(0.6);
  });
});
