import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

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
