import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Logger } from '../../../shared/platform/log.js';
import { createReadiness } from '../../../shared/platform/readiness/createReadiness.js';
import type { Readiness } from '../../../shared/platform/readiness/readiness.js';
import { lowDiskSpace, notMigrated, reasonOf } from '../../../shared/platform/readiness/reason.js';
import { QueueServerError } from '../../../shared/platform/queue/index.js';
import { TimeoutError } from '../../../shared/platform/withTimeout.js';
import { eventually } from '../../support/eventually.js';

describe('the readiness of a process', () => {
  let lines: string[];
  let database: string | null;
  let readiness: Readiness;
  let described: object[];

  const line =
    (level: string) =>
    (values: object, message: string): void => {
      lines.push(`${level} ${message}`);
      described.push(values);
    };
  const log = {
    ...{ info: line('info'), warn: line('warn'), error: line('error') },
    debug: () => {},
  } as unknown as Logger;

  beforeEach(() => {
    lines = [];
    described = [];
    database = null;
    readiness = createReadiness(log, { database: async () => database, storage: async () => lowDiskSpace });
  });
  afterEach(() => readiness.close());

  it('is logged once for each change', async () => {
    await readiness.watch();
    expect(lines.splice(1)).to.deep.equal(['warn degraded: ready, some dependencies are unavailable']);
    expect(lines).to.deep.equal([`warn storage: ${lowDiskSpace}`]);
    for (const state of [null, notMigrated, notMigrated, null, null]) {
      database = state;
      await readiness.check();
    }
    expect(lines.slice(1)).to.deep.equal([`error database: ${notMigrated}`, 'info database works again']);
    expect(readiness.known()).to.deep.equal({ database: null, storage: lowDiskSpace });
  });

  it('is reached only after the first check of all dependencies', async () => {
    let finish = (): void => {};
    const checked = new Promise<void>((resolve) => (finish = resolve));
    const well = createReadiness(log, { database: async () => null, queue: () => checked });
    let isReady = false;
    const ready = well.watch().then(() => (isReady = true));
    await setImmediate();
    expect([isReady, lines]).to.deep.equal([false, []]);
    finish();
    await ready;
    expect(lines).to.deep.equal(['info ready']);
    well.close();
  });

  it('is not reached while the database is unreachable or not migrated', async () => {
    database = notMigrated;
    let isReady = false;
    void readiness.watch().then(() => (isReady = true));
    await eventually(() =>
      expect(lines).to.have.members([`error database: ${notMigrated}`, `warn storage: ${lowDiskSpace}`]),
    );
    await readiness.check();
    expect(isReady).to.equal(false);
  });

  describe('in an outage', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const databaseAway = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), {
      ...{ name: 'SequelizeConnectionRefusedError', parent: refused },
    });
    const queueAway = new QueueServerError('queue', new Error('Connection is closed.'));

    it('is logged at the first error of use, without a stack, and when the outage ends', async () => {
      let fault: Error | null = null;
      const used = createReadiness(log, {
        async database() {
          if (fault) throw fault;
        },
        async queue() {},
      });
      await used.check();
      for (const error of [databaseAway, new Error('request failed', { cause: databaseAway }), databaseAway])
        expect(used.report(error)).to.equal(true);
      fault = Object.assign(new Error('starting up'), { name: 'SequelizeConnectionError', parent: { code: '57P03' } });
      await used.check();
      expect(lines).to.deep.equal(['error database: the server cannot be reached']);
      expect(described).to.deep.equal([{ dependency: 'database', detail: databaseAway.message }]);
      fault = null;
      await used.check();
      expect(lines.slice(1)).to.deep.equal(['info database works again']);
      expect(used.report(queueAway)).to.equal(true);
      expect(lines.slice(2)).to.deep.equal(['warn queue: the server cannot be reached']);
      used.close();
    });

    it('names only the database if it contains the queues', async () => {
      const inDatabase = new QueueServerError('database', refused);
      const used = createReadiness(log, {
        database: () => Promise.reject(databaseAway),
        queue: () => Promise.reject(inDatabase),
      });
      await used.check();
      expect(lines).to.deep.equal(['error database: the server cannot be reached']);
      used.close();
    });

    for (const [dependency, error] of [
      ['storage', Object.assign(new Error('x'), { code: 'ECONNREFUSED', $metadata: { attempts: 3 } })],
      ['storage', Object.assign(new Error('x'), { name: 'InternalError', $metadata: { httpStatusCode: 503 } })],
      ['search', Object.assign(new Error('x', { cause: refused }), { name: 'MeilisearchRequestError' })],
      ['mail', Object.assign(new Error('x'), { code: 'ESOCKET', command: 'CONN' })],
      ['queue', new QueueServerError('queue', refused)],
    ] as const)
      it(`detects ${dependency} errors from its client`, () => {
        const used = createReadiness(log, { [dependency]: async () => {} });
        expect([used.report(error), used.report(error)]).to.deep.equal([true, true]);
        expect(lines).to.deep.equal([`warn ${dependency}: the server cannot be reached`]);
        used.close();
      });

    for (const [name, error] of [
      ['a defect', new TypeError('undefined is not a function')],
      ['a defect in the use of the queue', new QueueServerError('queue', new TypeError('undefined is not a function'))],
      ['a server that is no dependency', refused],
      [
        'a dependency that the process does not use',
        Object.assign(new Error('x'), { code: 'ESOCKET', command: 'CONN' }),
      ],
      [
        'a statement that is refused',
        Object.assign(new Error('x'), { name: 'SequelizeDatabaseError', parent: { code: '23505' } }),
      ],
    ] as const)
      it(`does not change on ${name}`, () => {
        expect(readiness.report(error)).to.equal(false);
        expect(lines).to.deep.equal([]);
      });
  });

  it('is not logged during shutdown, when dependencies may be closed', async () => {
    readiness.stop();
    database = notMigrated;
    expect(await readiness.check()).to.deep.include({ database: notMigrated });
    expect(lines).to.deep.equal([]);
  });

  for (const [error, reason] of [
    [{ parent: { code: '28P01', message: 'password authentication failed for user "video"' } }, 'the login is refused'],
    [{ parent: { code: '3D000' } }, 'there is no database or bucket of this name'],
    [{ parent: { code: 'ECONNREFUSED' } }, 'the server cannot be reached'],
    [new Error('the queue server is down', { cause: new Error('WRONGPASS invalid password') }), 'the login is refused'],
    [{ code: 'EACCES', path: '/srv/secret' }, 'the folder is not writable'],
    [{ code: 'ENOSPC' }, 'no space left'],
    [new TimeoutError(1_500), 'no response in time'],
    [new Error('anything else of 10.0.0.1'), 'the check has failed'],
  ] as const)
    it(`names ${reason} without any value`, () => expect(reasonOf(error)).to.equal(reason));
});
