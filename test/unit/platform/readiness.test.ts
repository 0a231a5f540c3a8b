import { expect } from 'chai';
import type { Logger } from '../../../shared/platform/log.js';
import { createReadiness, type Readiness } from '../../../shared/platform/readiness/readiness.js';
import { littleSpace, notMigrated, reasonOf } from '../../../shared/platform/readiness/reason.js';
import { TimeoutError } from '../../../shared/platform/withTimeout.js';
import { eventually } from '../../support/eventually.js';

describe('what a process says of its dependencies', () => {
  let lines: string[];
  let database: string | null;
  let readiness: Readiness;

  const line =
    (level: string) =>
    (_values: unknown, message: string): void =>
      void lines.push(`${level} ${message}`);
  const log = { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Logger;

  beforeEach(() => {
    lines = [];
    database = null;
    readiness = createReadiness(log, {
      database: async () => database,
      storage: async () => littleSpace,
    });
  });
  afterEach(() => readiness.close());

  it('is one line for each change, and none for what stays', async () => {
    readiness.watch();
    await eventually(() => expect(lines).to.deep.equal([`warn storage: ${littleSpace}`]));
    for (const state of [null, notMigrated, notMigrated, null, null]) {
      database = state;
      await readiness.check();
    }
    expect(lines.slice(1)).to.deep.equal([`error database: ${notMigrated}`, 'info database works again']);
    expect(readiness.known()).to.deep.equal({ database: null, storage: littleSpace });
  });

  it('is one line where all is well', async () => {
    const well = createReadiness(log, { database: async () => null });
    well.watch();
    await eventually(() => expect(lines).to.deep.equal(['info all dependencies work']));
    well.close();
  });

  it('is nothing while it stops: what it uses may be closed already', async () => {
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
