import { expect } from 'chai';
import Joi from 'joi';
import { defineJob } from '../../../shared/platform/queue/job.js';
import { handledBy, PermanentJobError } from '../../../workers/runtime/jobTypes.js';
import { startApi } from '../../support/api.js';
import { openTestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';

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
  // A new app for each test: it counts failed logins in memory.
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

  /** One job that has failed; resolves with its id and with a function that stops the worker. */
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

  for (const [who, headers] of [
    ['nobody', {}],
    ['a wrong password', basic('operator', 'operator-secre')],
    ['a wrong name', basic('operato', 'operator-password')],
    ['a bearer token', { Authorization: 'Bearer operator-password' }],
    ['no colon', { Authorization: `Basic ${Buffer.from('operator').toString('base64')}` }],
  ] as const) {
    it(`responds with 401 to ${who}, for pages and data`, async () => {
      for (const path of ['/', '/api/queues', '/static/js/main.js']) {
        const response = await fetch(`${api.url}/admin/queues${path}`, { headers });
        expect([path, response.status]).to.deep.equal([path, 401]);
        expect(response.headers.get('www-authenticate')).to.match(/^Basic realm="operators"/);
      }
    });
  }

  it('429: too many wrong credentials; correct ones from the same address are accepted', async () => {
    const responses: Response[] = [];
    for (let guess = 0; guess < 7; guess++) {
      const path = ['/admin/queues/', '/metrics', '/admin/mails'][guess % 3];
      responses.push(await fetch(`${api.url}${path}`, { headers: basic('operator', `guess ${guess}`) }));
    }
    expect(responses.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401, 429, 429]);
    expect(Number(responses.at(-1)?.headers.get('retry-after'))).to.equal(60);
    expect((await board('/')).status).to.equal(200);
    // A browser's first request is no attempt, and gets the header that makes it ask for credentials.
    expect((await fetch(`${api.url}/metrics`)).status).to.equal(401);
    ctx.clock.advance(60_000);
    expect((await fetch(`${api.url}/metrics`, { headers: basic('operator', 'guess') })).status).to.equal(401);
  });

  it('does not count correct credentials as attempts', async () => {
    for (let call = 0; call < 12; call++) expect((await board('/api/queues')).status).to.equal(200);
  });

  it('lists every queue, and a failed job with a readable name, its error and its data', async () => {
    const { id, close } = await failedJob();
    try {
      const list = await responseTo('/api/queues?activeQueue=mail&status=failed&page=1&jobsPerPage=10');
      expect(list.queues.map(({ name }: { name: string }) => name)).to.have.members([
        'ingestion',
        'arrivals',
        'imports',
        'quick-transcoding',
        'transcoding',
        'transcription',
        'transcoding-status',
        'payment-verification',
        'webhooks',
        'daily-programming',
        'search-sync',
        'mail',
        'sweeps',
      ]);
      const [job] = list.queues.find(({ name }: { name: string }) => name === 'mail').jobs;
      expect(job).to.include({ id, name: 'test.fail · content 0f9c2f34', failedReason: 'no such content' });
      const { job: detail, status } = await responseTo(`/api/queues/mail/${id}`);
      expect(status).to.equal('failed');
      expect(detail.data).to.deep.equal({ contentId: '0f9c2f34-6f0e-4b7e-9a39-0d6b3a3a1c11' });
    } finally {
      await close();
    }
  });

  it('shows completed jobs page by page', async () => {
    const queue = ctx.queues.all().find(({ name }) => name === 'sweeps')!;
    await queue.addBulk(Array.from({ length: 12 }, (_, number) => ({ name: 'test.page', data: { number } })));
    const numbers: number[] = [];
    for (const page of [1, 2, 3]) {
      const list = await responseTo(`/api/queues?activeQueue=sweeps&status=waiting&page=${page}&jobsPerPage=5`);
      const { jobs } = list.queues.find(({ name }: { name: string }) => name === 'sweeps');
      numbers.push(...jobs.map(({ data }: { data: { number: number } }) => data.number));
    }
    expect(numbers.toSorted((one, other) => one - other)).to.deep.equal(
      Array.from({ length: 12 }, (_, number) => number),
    );
  });

  it('retries a failed job', async () => {
    const { id, runs, close } = await failedJob();
    try {
      const response = await board(`/api/queues/mail/${id}/retry`, {
        method: 'PUT',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      });
      expect(response.status).to.be.within(200, 204);
      await eventually(() => expect(runs()).to.equal(2));
    } finally {
      await close();
    }
  });

  for (const [from, headers] of [
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another subdomain of one site', { 'Sec-Fetch-Site': 'same-site' }],
    ['an old browser on another site', { Origin: 'https://evil.example' }],
    ['a sandboxed frame', { Origin: 'null' }],
  ] as const) {
    it(`rejects a change from a page of ${from}`, async () => {
      const response = await board('/api/queues/mail/pause', { method: 'PUT', headers });
      expect(response.status).to.equal(403);
      expect(
        await ctx.queues
          .all()
          .find(({ name }) => name === 'mail')
          ?.isPaused(),
      ).to.equal(false);
    });
  }

  it('pauses a queue for its own page, and for a caller that is not a browser', async () => {
    const origin = new URL(api.url).origin;
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: origin }, {}] as Record<string, string>[]) {
      expect((await board('/api/queues/mail/pause', { method: 'PUT', headers })).status).to.be.within(200, 204);
      expect((await board('/api/queues/mail/resume', { method: 'PUT', headers })).status).to.be.within(200, 204);
    }
  });

  for (const [what, method, path] of [
    ['add a job', 'POST', '/api/queues/mail/add'],
    ['empty a queue', 'PUT', '/api/queues/mail/empty'],
    ['obliterate a queue', 'PUT', '/api/queues/mail/obliterate'],
  ] as const) {
    it(`cannot ${what}, and responds with 403`, async () => {
      const body = JSON.stringify({ name: 'content.ingest', data: {}, options: {}, force: true });
      const response = await board(path, { method, body, headers: { 'Content-Type': 'application/json' } });
      expect(response.status).to.equal(403);
    });
  }
});
