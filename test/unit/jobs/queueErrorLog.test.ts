import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import type { Logger } from '../../../shared/platform/log.js';
import { createErrorLog } from '../../../shared/platform/queue/errorLog.js';
import { openQueues } from '../../../shared/platform/queue/openQueues.js';
import { unreachableDependency } from '../../../shared/platform/readiness/unreachableDependency.js';
import { rejection } from '../../support/rejection.js';

describe('errors of queue server connections', () => {
  const lines: string[] = [];
  const log = {
    warn: (_values: object, message: string) => lines.push(`warn ${message}`),
    debug: (_values: object, message: string) => lines.push(`debug ${message}`),
  } as unknown as Logger;
  const isUnreachable = (error: unknown): boolean => unreachableDependency(error) !== null;
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const lostLocks = [
    new Error('could not renew lock for job 1'),
    new Error('Missing lock for job 1. moveToFinished'),
    new Error('Missing lock for job 2. moveToDelayed'),
  ];

  beforeEach(() => {
    lines.length = 0;
  });

  it('are logged once for each message, with locks lost in the outage only at debug', () => {
    const report = createErrorLog(log, 'queue', isUnreachable);
    for (const error of [refused, refused, ...lostLocks]) report(error);
    expect(lines).to.deep.equal([
      'warn queue connection failed',
      ...lostLocks.map(() => 'debug job lock lost during an outage'),
    ]);
  });

  it('are logged as warnings if a lock is lost without an outage', () => {
    const report = createErrorLog(log, 'queue', isUnreachable);
    for (const error of lostLocks) report(error);
    expect(lines).to.deep.equal(lostLocks.map(() => 'warn queue connection failed'));
  });

  describe('of a server that accepts connections and does not respond', () => {
    let silent: Server;
    before(async () => {
      silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });
    after(() => silent.close());

    it('report the server as unreachable', async () => {
      const { port } = silent.address() as AddressInfo;
      const server = { url: `redis://127.0.0.1:${port}`, tlsVerify: true, cluster: null, sentinels: null };
      const backend = { redis: { server, prefix: 'silent' } };
      const queues = await openQueues({ names: [], backend, lockSeconds: 30, log, isUnreachable });
      try {
        expect(unreachableDependency(await rejection(queues.ready()))).to.equal('queue');
      } finally {
        await queues.close();
      }
    });
  });
});
