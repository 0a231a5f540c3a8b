import { expect } from 'chai';
import { openMetricsPort } from '../../../workers/runtime/metricsPort.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { freePort } from '../../support/processes.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';

describe('METRICS_PORT', () => {
  let ctx: TestContext;
  let close: () => Promise<void>;
  let address: string;

  before(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}/metrics`;
    ctx = await openTestContext({ METRICS_PORT: String(port) }, { limits: [[guardedCallsPerMinute, 3]] });
    close = await openMetricsPort(ctx);
  });
  after(async () => {
    await close?.();
    await ctx?.close();
  });

  const scrape = (password: string) =>
    fetch(address, { headers: { authorization: `Basic ${Buffer.from(`operator:${password}`).toString('base64')}` } });

  it('returns 429 after too many wrong credentials from one address, and accepts correct ones', async () => {
    const responses: Response[] = [];
    for (let guess = 0; guess < 5; guess += 1) responses.push(await scrape(`guess ${guess}`));
    expect(responses.map(({ status }) => status)).to.deep.equal([401, 401, 401, 429, 429]);
    expect(responses.at(-1)?.headers.get('retry-after')).to.equal('60');
    const right = await scrape(ctx.config.operator.password);
    expect([right.status, right.headers.get('content-type')]).to.deep.equal([200, ctx.metrics.registry.contentType]);
    expect((await fetch(address)).status).to.equal(401);
  });
});
