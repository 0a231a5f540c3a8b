import { expect } from 'chai';
import { sweepPlatform } from '../../shared/platform/platform.jobs.js';
import { openTestContext } from '../support/context.js';
import { eventually, slowness } from '../support/eventually.js';
import { freePort, startBuilt, type BuiltProcess } from '../support/deployment.js';
import { rowsOf } from '../support/requirements.js';
import { useFixture } from '../support/fixtures.js';
import { enqueueOnce, ClockTick } from '../../shared/platform/queue/index.js';
import { scheduleOf } from '../../workers/schedule.js';
import { storedRows } from '../support/rows.js';

describe('built processes', function () {
  this.timeout(60_000);
  const ctx = useFixture(openTestContext);
  let running: BuiltProcess[];
  beforeEach(() => {
    running = [];
  });
  afterEach(() => Promise.all(running.map((one) => one.end('SIGKILL'))));

  async function start(kind: 'web' | 'worker' | 'clock', settings: Record<string, string> = {}): Promise<BuiltProcess> {
    const one = await startBuilt(kind, { ...ctx.env, LOG_LEVEL: 'info', ...settings });
    running.push(one);
    return one;
  }

  const lineOf = (error: Error): string => error.message.split('\n').slice(1).join('\n').trim();

  it('publish outbox jobs of a crashed process, run jobs, and shut down gracefully on repeated SIGTERM', async () => {
    await ctx.db.change(
      `INSERT INTO outbox (queue, job, job_key, repeats, payload, attempts, backoff_ms)
       VALUES ('sweeps', 'platform.sweep', 'platform.sweep', 'once', '{}', 1, 1)`,
    );
    const worker = await start('worker', { LOG_LEVEL: 'debug' });
    await eventually(() => expect(worker.output()).to.contain('"job done"'), { timeoutMs: 20_000 });
    await ctx.db.change("INSERT INTO clock_ticks (task, minute) VALUES ('old', '2001-01-01')");
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, sweepPlatform, {}));
    await eventually(async () => expect(await storedRows(ctx, ClockTick)).to.deep.equal([]), {
      timeoutMs: 20_000,
    });
    process.kill(worker.pid, 'SIGTERM');
    process.kill(worker.pid, 'SIGINT');
    const began = performance.now();
    expect(await worker.end('SIGTERM')).to.equal(0);
    expect(performance.now() - began).to.be.below(7_000 * slowness);
    expect(worker.output()).to.contain('"stopped"').and.not.contain('Deprecation');
  });

  it('log scheduled jobs without work only at debug', async () => {
    const worker = await start('worker', { LOG_LEVEL: 'debug', STORAGE_MIN_FREE_BYTES: '0' });
    const lines = () =>
      worker
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { readonly level: number; readonly job?: string; readonly msg: string });
    const done = (job: string): number => lines().filter((line) => line.msg === 'job done' && line.job === job).length;
    const tasks = scheduleOf(ctx.config);
    const runAll = async (minute: Date): Promise<void> => {
      const before = new Map(tasks.map(({ job }) => [job.name, done(job.name)]));
      for (const task of tasks) await enqueueOnce(ctx, task, minute);
      await eventually(
        () => expect(tasks.filter(({ job }) => done(job.name) <= Number(before.get(job.name)))).to.deep.equal([]),
        { timeoutMs: 30_000 },
      );
    };
    // The first run finds that the default slate is missing.
    await runAll(new Date('2026-03-01T10:20:00Z'));
    await eventually(() => expect(done('cast.prepare')).to.be.above(0), { timeoutMs: 30_000 });
    const before = lines().length;
    await runAll(new Date('2026-03-01T10:21:00Z'));
    expect(
      lines()
        .slice(before)
        .filter(({ level }) => level >= 30),
    ).to.deep.equal([]);
  });

  const FFMPEG_PATH = '/nowhere/ffmpeg';

  it('run no media jobs if ffmpeg does not start, and log that in one line', async () => {
    const error = await start('worker', { FFMPEG_PATH }).then(
      () => new Error('it started'),
      (refused: Error) => refused,
    );
    expect(lineOf(error)).to.match(/^\/nowhere\/ffmpeg does not run \(.*ENOENT.*\)\.$/);
  });

  it('run only the configured queues without ffmpeg, with metrics at METRICS_PORT for operators', async () => {
    const port = await freePort();
    const settings = {
      FFMPEG_PATH,
      METRICS_PORT: String(port),
      WORKER_QUEUES: 'mail,sweeps',
      STORAGE_MIN_FREE_BYTES: '0',
      DEFAULT_PLAN: 'Unlimted',
    };
    const worker = await start('worker', settings);
    await eventually(() => expect(worker.output()).to.contain('"queues":["webhooks","mail","sweeps"]'));
    await eventually(() => expect(worker.output()).to.contain('"msg":"ready"'));
    const address = `http://127.0.0.1:${port}/metrics`;
    expect((await fetch(address)).status).to.equal(401);
    const response = await fetch(address, {
      headers: { Authorization: `Basic ${Buffer.from('operator:operator-password').toString('base64')}` },
    });
    expect(response.status).to.equal(200);
    const text = await response.text();
    expect(text)
      .to.contain('jobs_total{queue="sweeps",job="platform.sweep",result="failed",process="worker"} 0\n')
      .and.contain('ready{dependency="work",process="worker"} 1\n')
      .and.contain('database_conflicts_total{code="40P01",process="worker"} 0\n')
      .and.match(/\nstorage_free_bytes\{folder="work",process="worker"\} \d+\n/)
      .and.match(/\nbuild_info\{version="\d[^"]*",commit="",node_version="v\d[^"]*",process="worker"\} 1\n/);
    expect(worker.output()).to.contain('DEFAULT_PLAN is not the name of a plan').and.contain('"Unlimited"');
    expect(worker.output().match(/"msg":"ready"/g)).to.have.lengthOf(1);
    expect(await worker.end('SIGTERM')).to.equal(0);
  });

  for (const { name: kind } of rowsOf([{ name: 'worker' }, { name: 'clock' }] as const, ['worker'])) {
    it(`end the ${kind} with exit code 1 and one clear message if settings are invalid`, async () => {
      const PLAYBACK_KEYS = 'k1:0123456789abcdef,k1:fedcba9876543210';
      const failure = await start(kind, { OPERATOR_PASSWORD: '', MEDIA_CONCURRENCY: 'many', PLAYBACK_KEYS }).catch(
        (error: Error) => error,
      );
      expect(failure).to.be.an('error');
      const { message } = failure as Error;
      expect(message).to.match(/^ended with 1/);
      expect(lineOf(failure as Error))
        .to.contain('OPERATOR_PASSWORD is required')
        .and.contain('MEDIA_CONCURRENCY')
        .and.contain('PLAYBACK_KEYS contains an id twice');
      expect(message).to.not.match(/\n\s+at /);
    });
  }

  // Only the web process writes more per request than a pipe can buffer.
  const outputs = [
    { name: 'web, closed', kind: 'web', how: 'closed' },
    { name: 'web, unread', kind: 'web', how: 'unread' },
    { name: 'worker, closed', kind: 'worker', how: 'closed' },
    { name: 'clock, closed', kind: 'clock', how: 'closed' },
  ] as const;
  for (const { name, kind, how } of rowsOf(outputs, ['web, unread', 'worker, closed'])) {
    it(`shut down gracefully if their output is not read: ${name}`, async () => {
      const port = String(await freePort());
      const one = await start(kind, { PORT: port, WORKER_QUEUES: 'mail' });
      one.leaveOutput(how);
      const words = `http://127.0.0.1:${port}/${'x'.repeat(4_000)}`;
      if (kind === 'web') for (let call = 0; call < 200; call += 1) await (await fetch(words)).text();
      const began = performance.now();
      expect(await one.end('SIGTERM')).to.equal(0);
      expect(performance.now() - began).to.be.below(7_000 * slowness);
    });
  }

  it('run a clock that shuts down gracefully', async () => {
    const clock = await start('clock');
    expect(await clock.end('SIGTERM')).to.equal(0);
    expect(clock.output()).to.contain('"stopped"');
  });
});
