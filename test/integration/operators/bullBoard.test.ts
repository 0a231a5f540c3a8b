import { expect } from 'chai';
import Joi from 'joi';
import { defineJob } from '../../../shared/platform/queue/index.js';
import { queueNames } from '../../../shared/platform/queueNames.js';
import { handledBy, PermanentJobError } from '../../../workers/runtime/jobTypes.js';
import { startApi } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';
import { openMetricsPort } from '../../../workers/runtime/metricsPort.js';
import { freePort } from '../../support/deployment.js';

const basic = (user: string, password: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const operator = basic('operator', 'operator-password');

const failing = defineJob({
  name: 'test.fail',
  queue: 'mail',
  payload: Joi.object<{ contentId: string }, true>({ contentId: Joi.string().required() }),
  key: ({ contentId }) => contentId,
  attempts: 1,
  backoffMs: 10,
  timeoutMs: 1_000,
});

describe('Bull Board', () => {
  const ctx = useFixture(() => openTestContext({}, { limits: [[guardedCallsPerMinute, 5]] }));
  // A new app for each test, because it counts failed logins in memory.
  const api = fixtureEach(() => startApi(ctx));
  afterEach(async () => {
    for (const queue of ctx.queues.all()) await queue.obliterate({ force: true });
  });

  const board = (
    path: string,
    options: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${api.url}/admin/queues${path}`, { ...options, headers: { ...operator, ...options.headers } });

  // oxlint-disable-next-line typescript/no-explicit-any -- the board's own responses
  const responseTo = async (path: string): Promise<any> => (await board(path)).json();

  /** Creates a failed job; resolves with its id and a function that stops the worker. */
  async function failedJob(): Promise<{ id: string; runs: () => number; close: () => Promise<void> }> {
    let runs = 0;
    const workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: {
        [failing.name]: handledBy(failing, async () => {
          runs++;
          if (runs === 1) throw new PermanentJobError('no such content');
        }),
      },
    });
    await ctx.db.transaction((tx) =>
      ctx.outbox.add(tx, failing, { contentId: '0f9c2f34-6f0e-4b7e-9a39-0d6b3a3a1c11' }),
    );
    const queue = ctx.queues.all().find(({ name }) => name === 'mail')!;
    const job = await eventually(async () => {
      const [first] = await queue.getFailed();
      expect(first).not.to.equal(undefined);
      return first!;
    });
    return { id: job.id!, runs: () => runs, close: workers.close };
  }

  it('shows its page to an operator, and forbids frames', async () => {
    const response = await board('/');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^text\/html/);
    expect(response.headers.get('content-security-policy'))
      .to.contain("frame-ancestors 'none'")
      .and.contain("default-src 'self'");
    expect(await response.text()).to.contain('<base href="/admin/queues/"');
  });

  it('responds with 401 to everybody else, for pages and data', async () => {
    for (const headers of [
      {},
      basic('operator', 'operator-secre'),
      basic('operato', 'operator-password'),
      { Authorization: 'Bearer operator-password' },
      { Authorization: `Basic ${Buffer.from('operator').toString('base64')}` },
    ] as Record<string, string>[])
      for (const path of ['/', '/api/queues', '/static/js/main.js']) {
        ctx.clock.advance(60_000);
        const response = await fetch(`${api.url}/admin/queues${path}`, { headers });
        expect([path, response.status]).to.deep.equal([path, 401]);
        expect(response.headers.get('www-authenticate')).to.match(/^Basic realm="operators"/);
      }
  });

  it('returns 429 after too many wrong credentials, and accepts correct ones from the same address', async () => {
    const responses: Response[] = [];
    for (let guess = 0; guess < 7; guess++) {
      const path = ['/admin/queues/', '/metrics', '/admin/mails'][guess % 3];
      responses.push(await fetch(`${api.url}${path}`, { headers: basic('operator', `guess ${guess}`) }));
    }
    expect(responses.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401, 429, 429]);
    expect(Number(responses.at(-1)?.headers.get('retry-after'))).to.equal(60);
    for (let call = 0; call < 12; call++) expect((await board('/api/queues')).status).to.equal(200);
    // A browser's first request counts as no attempt, and its response asks for credentials.
    expect((await fetch(`${api.url}/metrics`)).status).to.equal(401);
    ctx.clock.advance(60_000);
    expect((await fetch(`${api.url}/metrics`, { headers: basic('operator', 'guess') })).status).to.equal(401);
  });

  it('lists every queue, and a failed job with a readable name, error and data, and retries it', async () => {
    const { id, runs, close } = await failedJob();
    try {
      const list = await responseTo('/api/queues?activeQueue=mail&status=failed&page=1&jobsPerPage=10');
      expect(list.queues.map(({ name }: { name: string }) => name)).to.have.members(queueNames);
      const [job] = list.queues.find(({ name }: { name: string }) => name === 'mail').jobs;
      expect(job).to.include({ id, name: 'test.fail · content 0f9c2f34', failedReason: 'no such content' });
      const { job: detail, status } = await responseTo(`/api/queues/mail/${id}`);
      expect(status).to.equal('failed');
      expect(detail.data).to.deep.equal({ contentId: '0f9c2f34-6f0e-4b7e-9a39-0d6b3a3a1c11' });
      const retry = { method: 'PUT', headers: { 'Sec-Fetch-Site': 'same-origin' } };
      expect((await board(`/api/queues/mail/${id}/retry`, retry)).status).to.be.within(200, 204);
      await eventually(() => expect(runs()).to.equal(2));
    } finally {
      await close();
    }
  });

  it('rejects changes from pages of other sites, and changes that it does not offer', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      // An old browser on another site, and a sandboxed frame.
      ...['https://evil.example', 'null'].map((Origin) => ({ Origin })),
    ] as Record<string, string>[])
      expect((await board('/api/queues/mail/pause', { method: 'PUT', headers })).status).to.equal(403);
    const queue = ctx.queues.all().find(({ name }) => name === 'mail');
    expect(await queue?.isPaused()).to.equal(false);
    for (const [method, action] of [
      ['POST', 'add'],
      ['PUT', 'empty'],
      ['PUT', 'obliterate'],
    ] as const) {
      const body = JSON.stringify({ name: 'content.ingest', data: {}, options: {}, force: true });
      const options = { method, body, headers: { 'Content-Type': 'application/json' } };
      expect((await board(`/api/queues/mail/${action}`, options)).status, action).to.equal(403);
    }
  });

  it('pauses a queue for its own page, and for a caller other than a browser', async () => {
    const origin = new URL(api.url).origin;
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: origin }, {}] as Record<string, string>[]) {
      expect((await board('/api/queues/mail/pause', { method: 'PUT', headers })).status).to.be.within(200, 204);
      expect((await board('/api/queues/mail/resume', { method: 'PUT', headers })).status).to.be.within(200, 204);
    }
  });
});

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
