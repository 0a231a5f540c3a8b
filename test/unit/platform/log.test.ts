import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const module = new URL('../../../shared/platform/createLogger.js', import.meta.url).href;

/** The line that a process writes for an error, which has these members. */
async function lineOf(members: string): Promise<Record<string, unknown>> {
  const script = `
    const { createLogger } = await import(${JSON.stringify(module)});
    const error = Object.assign(new Error('it failed', { cause: new Error('no answer') }), ${members});
    createLogger({ process: 'web', level: 'info' }).error({ err: error }, 'work failed');`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).not.to.include('hidden');
  return (JSON.parse(stdout) as { err: Record<string, unknown> }).err;
}

describe('errors in the log', () => {
  it('have message, cause and plain members', async () => {
    const logged = await lineOf("{ code: 'EACCES', status: 503, detail: 'queue server' }");
    expect(logged).to.include({ type: 'Error', code: 'EACCES', status: 503, detail: 'queue server' });
    expect(logged['message']).to.equal('it failed: no answer');
    expect(logged['stack']).to.include('no answer');
  });

  it('have no connection, no statement and no values', async () => {
    const logged = await lineOf(`{
      client: { secretKey: 'hidden' }, request: { headers: 'hidden' }, sql: 'hidden', parameters: ['hidden'],
      parent: { code: '23505', constraint: 'users_email', table: 'users', detail: 'hidden' },
    }`);
    expect(logged).to.have.keys('type', 'message', 'stack', 'database');
    expect(logged['database']).to.deep.equal({ code: '23505', constraint: 'users_email', table: 'users' });
  });
});

describe('lines of the log', () => {
  it('are written in their order, also where the process exits at once', async () => {
    const script = `
      const { createLogger } = await import(${JSON.stringify(module)});
      const log = createLogger({ process: 'web', level: 'info' });
      log.info('first');
      setTimeout(() => {
        log.info('second');
        log.fatal('third');
        process.exit(0);
      });`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal(['first', 'second', 'third']);
  });
});

describe('lines of an outage', () => {
  /** What a process writes for an error, whose outage is in the log already where `isReported` says so. */
  async function linesOf(values: string, { isReported = true, level = 'info' } = {}) {
    const script = `
      const { createLogger } = await import(${JSON.stringify(module)});
      const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '10.0.0.1' });
      const log = createLogger({ process: 'web', level: '${level}', outages: { report: () => ${isReported} } });
      log.child({ requestId: 'a' }).error(${values}, 'work failed');`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map(
      (line) => JSON.parse(line) as { level: number; msg: string; err: { stack?: string; message: string } },
    );
  }

  it('are at debug where the outage is in the log', async () => {
    expect(await linesOf('{ err: refused }')).to.deep.equal([]);
    const [line] = await linesOf('{ err: refused }', { level: 'debug' });
    expect(line).to.include({ level: 20, msg: 'work failed', requestId: 'a' });
    expect(line?.err.stack).to.include('refused');
  });

  it('stay, with the stack, where work is given up', async () => {
    const [line] = await linesOf('{ err: refused, final: true }');
    expect(line?.err.stack).to.include('refused');
  });

  it('stay, without a stack, where another server is away', async () => {
    const [line] = await linesOf('{ err: refused }', { isReported: false });
    expect(line).to.include({ level: 50, msg: 'work failed' });
    expect(line?.err).to.deep.equal({ type: 'Error', message: 'refused', code: 'ECONNREFUSED', address: '10.0.0.1' });
  });

  it('stay as they are where there is no outage', async () => {
    const [line] = await linesOf("{ err: new TypeError('a defect') }", { isReported: false });
    expect(line?.err.stack).to.include('a defect');
  });
});
