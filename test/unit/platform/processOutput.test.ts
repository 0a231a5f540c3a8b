import { execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { pino } from 'pino';
import { takeWarnings, watchLogLine, watchPrintedWarnings } from '../../support/testFaults.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err: Readonly<Record<string, unknown>>;
}

/** The log lines of a process that starts with a logger and a client error, and then runs this code. */
async function linesOf(script: string): Promise<Line[]> {
  const module = new URL('../../../shared/platform/createLogger.js', import.meta.url).href;
  const beginning = `
    const { createLogger } = await import(${JSON.stringify(module)});
    const log = createLogger({ process: 'web', level: 'info' });
    const failed = (members) => Object.assign(new Error('it failed', { cause: new Error('no answer') }), members);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '10.0.0.1' });
    const inOutage = (isReported, level = 'info') =>
      createLogger({ process: 'web', level, outages: { report: () => isReported } }).child({ requestId: 'a' });`;
  const parameters = ['--input-type=module', '--eval', beginning + script];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  expect(stdout).not.to.include('hidden');
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}

describe('the log', () => {
  it('contains message, cause and plain members of errors, but no connection, statement or values', async () => {
    const [first, second] = await linesOf(`
      log.error({ err: failed({ code: 'EACCES', status: 503, detail: 'queue server' }) }, 'work failed');
      log.error({ err: failed({
        client: { secretKey: 'hidden' }, request: { headers: 'hidden' }, sql: 'hidden', parameters: ['hidden'],
        parent: { code: '23505', constraint: 'users_email', table: 'users', detail: 'hidden' },
      }) }, 'work failed');`);
    expect(first?.err).to.include({ type: 'Error', code: 'EACCES', status: 503, detail: 'queue server' });
    expect(first?.err).to.include({ message: 'it failed: no answer' });
    expect(first?.err['stack']).to.include('no answer');
    expect(second?.err).to.have.keys('type', 'message', 'stack', 'database');
    expect(second?.err['database']).to.deep.equal({ code: '23505', constraint: 'users_email', table: 'users' });
  });

  it('keeps the order of its lines, even if the process exits at once', async () => {
    const lines = await linesOf(`
      log.info('first');
      setTimeout(() => {
        log.info('second');
        log.fatal('third');
        process.exit(0);
      });`);
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['first', 'second', 'third']);
  });

  it('contains lines of a known outage only at debug, unless work has failed for good', async () => {
    const [detail, final, ...others] = await linesOf(`
      inOutage(true).error({ err: refused }, 'not written');
      inOutage(true, 'debug').error({ err: refused }, 'work failed');
      inOutage(true).error({ err: refused, final: true }, 'given up');`);
    expect(detail).to.include({ level: 20, msg: 'work failed', requestId: 'a' });
    expect(final).to.include({ msg: 'given up' });
    for (const line of [detail, final]) expect(line?.err['stack']).to.include('refused');
    expect(others).to.deep.equal([]);
  });

  it('contains the stack of a defect, but not of an unreachable server', async () => {
    const [away, defect] = await linesOf(`
      inOutage(false).error({ err: refused }, 'work failed');
      inOutage(false).error({ err: new TypeError('a defect') }, 'work failed');`);
    expect(away).to.include({ level: 50, msg: 'work failed' });
    expect(away?.err).to.deep.equal({ type: 'Error', message: 'refused', code: 'ECONNREFUSED', address: '10.0.0.1' });
    expect(defect?.err['stack']).to.include('a defect');
  });
});

const run = promisify(execFile);

/** The names of the CommonJS packages that a process loads with these built files. */
async function packagesOf(...files: readonly string[]): Promise<string[]> {
  const addresses = files.map((file) => new URL(`../../../${file}`, import.meta.url).href);
  const script = `
    import { createRequire } from 'node:module';
    for (const address of ${JSON.stringify(addresses)}) await import(address);
    const names = Object.keys(createRequire(import.meta.url).cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)]));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[];
}

describe('a process at its start', function () {
  this.timeout(30_000);

  it('loads neither queue nor image packages for a clock', async () => {
    const packages = await packagesOf('shared/clockContext.js', 'shared/processLifecycle.js', 'workers/schedule.js');
    expect(packages).to.include('sequelize');
    for (const unused of ['bullmq', 'ioredis', 'sharp', 'express', 'prom-client'])
      expect(packages).to.not.include(unused);
  });

  it('loads the packages of queues, images, S3, mail, payments and a second search engine only if they are used', async () => {
    const packages = await packagesOf('shared/openContext.js', 'api/routes.js', 'workers/handlers.js');
    expect(packages).to.include('prom-client');
    for (const unused of [
      'bullmq',
      'ioredis',
      'sharp',
      '@aws-sdk/client-s3',
      'nodemailer',
      'stripe',
      '@paypal/paypal-server-sdk',
      'opossum',
      '@opentelemetry/sdk-trace-base',
    ])
      expect(packages).to.not.include(unused);
  });
});

/** A warning fails the test in which it is emitted (`rootHooks.ts`). These tests prove that warnings are detected. */
describe('warnings of Node', () => {
  const firstLines = (): (string | undefined)[] => takeWarnings().map((warning) => warning.split('\n', 1)[0]);

  it('are detected in this process', async () => {
    const emitter = new EventEmitter();
    for (let listener = 0; listener < 11; listener += 1) emitter.on('end', () => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(firstLines()[0]).to.match(/^MaxListenersExceededWarning: .* 11 end listeners/);
  });

  it('are detected in a process that a test has started', async () => {
    const script = `process.emitWarning('text', 'CustomWarning')`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
    watchPrintedWarnings(child.stderr);
    await once(child, 'close');
    expect(firstLines()).to.deep.equal(['of a process that the test has started: CustomWarning: text']);
  });

  it('are detected for a log line that repeats a binding of its child logger', () => {
    const log = pino({}, { write: watchLogLine }).child({ attempt: 1 });
    log.info({ text: 'ü "quoted" \n' }, 'text');
    expect(firstLines()).to.deep.equal([]);
    log.info({ attempt: 2 }, 'text');
    expect(firstLines()[0]).to.match(/^log line has a member twice: .*"attempt":1,"attempt":2/);
  });
});
