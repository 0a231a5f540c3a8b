import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import Joi from 'joi';
import { jobTitle } from '../../../api/operators/jobTitle.js';
import { jobs } from '../../../shared/jobs.js';
import { createLogger } from '../../../shared/platform/createLogger.js';
import { queueOptionsOf } from '../../../shared/platform/librarySettings.js';
import type { Logger } from '../../../shared/platform/log.js';
import { processNameOf } from '../../../shared/platform/processName.js';
import { createErrorLog } from '../../../shared/platform/queue/errorLog.js';
import { defineJob } from '../../../shared/platform/queue/job.js';
import { openQueues } from '../../../shared/platform/queue/openQueues.js';
import { unreachableDependency } from '../../../shared/platform/readiness/unreachableDependency.js';
import { readConfig } from '../../../shared/settings.js';
import { handlers } from '../../../workers/handlers.js';
import { assertHandled, handledBy } from '../../../workers/runtime/jobTypes.js';
import { testEnvironment } from '../../support/context.js';
import { rejection } from '../../support/eventually.js';

const named = <Name extends string>(name: Name) =>
  defineJob({
    name,
    queue: 'mail',
    payload: Joi.object<object, true>({}),
    key: () => name,
    attempts: 1,
    backoffMs: 1,
    timeoutMs: 1,
  });

const one = named('one');
const two = named('two');
const workerSettings = { lockSeconds: 20, metricsPort: null, mediaConcurrency: 1, mediaThreads: 0 };
const idle = async (): Promise<void> => {};

describe('the name of a process in logs and metrics', () => {
  for (const [kind, queues, name] of [
    ['web', ['transcoding'], 'web'],
    ['worker', ['quick-transcoding', 'transcoding'], 'media'],
    ['worker', ['ingestion', 'quick-transcoding', 'transcoding'], 'worker'],
  ] as const)
    it(`is ${name} for a ${kind} with ${queues.join(', ')}`, () =>
      expect(processNameOf({ process: kind, worker: { ...workerSettings, queues } })).to.equal(name));
});

describe('the boot check', () => {
  it('finds a handler for every job of the service', () => expect(() => assertHandled(jobs, handlers)).not.to.throw());

  for (const [fault, declared, handled, message] of [
    ['a job without a handler', [one, two], { one: handledBy(one, idle) }, /two has no handler/],
    ['a job declared twice', [one, one], { one: handledBy(one, idle) }, /one is declared twice/],
    [
      "another job's handler",
      [one, two],
      { one: handledBy(one, idle), two: handledBy(one, idle) },
      /two has the handler of one/,
    ],
    [
      'a handler without a job',
      [one],
      { one: handledBy(one, idle), two: handledBy(two, idle) },
      /two has a handler and is not a job/,
    ],
  ] as const)
    it(`throws for ${fault}`, () => expect(() => assertHandled(declared, handled)).to.throw(message));
});

describe('declared jobs', () => {
  for (const job of jobs)
    it(`${job.name} has limits: attempts, backoff and timeout`, () => {
      expect(job.attempts).to.be.within(1, 50);
      expect(job.backoffMs).to.be.above(0);
      expect(job.timeoutMs).to.be.within(1_000, 12 * 3_600_000);
    });
});

describe('a job title', () => {
  it('distinguishes jobs of the same name', () => {
    const data = { contentId: '0f9c2f34-6f0e-4b7e-9a39-0d6b3a3a1c11', generation: 2, chunk: 7 };
    expect(jobTitle({ name: 'content.transcode', data })).to.equal(
      'content.transcode · content 0f9c2f34, generation 2, chunk 7',
    );
  });

  it('is the job name if the payload has no short value', () => {
    expect(jobTitle({ name: 'search.drain', data: {} })).to.equal('search.drain');
    expect(jobTitle({ name: 'search.drain', data: null })).to.equal('search.drain');
  });

  it('omits long and nested values', () =>
    expect(jobTitle({ name: 'a', data: { text: 'x'.repeat(41), nested: { a: 1 }, id: 5 } })).to.equal('a · id 5'));
});

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

/** A self-signed certificate for these tests only, valid for a hundred years. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg919Wjpj6ddmWbxyt
z7X/3H3qXO8MCHiJuMhhGNr97zmhRANCAAQ/g1F0VKjp5dJyBPrd4OdDY1Q0tGYu
QAe5TmAvUbWg0S2me+8DjgfQfvX9sudRFxslbONe6dn5D/dlWPTZMRwR
-----END PRIVATE KEY-----
`;

const cert = `-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIUXxGIderFR/Sdy11w9NM2OO61aekwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKcmVkaXMudGVzdDAgFw0yNjExMjExNjM3MjRaGA8yMTI2MTAy
ODE2MzcyNFowFTETMBEGA1UEAwwKcmVkaXMudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABD+DUXRUqOnl0nIE+t3g50NjVDS0Zi5AB7lOYC9RtaDRLaZ77wOO
B9B+9f2y51EXGyVs417p2fkP92VY9NkxHBGjUzBRMB0GA1UdDgQWBBRwHjLtZaNj
J4r8iPM/v+vD1PKgoTAfBgNVHSMEGDAWgBRwHjLtZaNjJ4r8iPM/v+vD1PKgoTAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIFtoQ/PQQnmq2uxguu+e
H7IKnEda+6eIX0WRvTOJKcEJAiAs2LyvkEav4WGIYDHtjYSuskac0mXb2lVWvsD+
MNUYyQ==
-----END CERTIFICATE-----
`;

/** The part of a Redis server that the check needs: it responds OK to every command. */
function response(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.on('data', (commands) => socket.write('+OK\r\n'.repeat((commands.toString().match(/^\*\d/gm) ?? []).length)));
}

describe('a Redis server with a self-signed certificate', () => {
  let server: Server;

  afterEach(() => server.close());

  async function check(scheme: string, settings: Record<string, string>): Promise<void> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const REDIS_URL = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { ...testEnvironment('postgres://127.0.0.1/none', '/tmp/unused'), REDIS_URL, ...settings };
    const queues = await openQueues({
      ...queueOptionsOf(readConfig('web', environment)),
      log: createLogger({ process: 'test', level: 'silent' }),
    });
    try {
      await queues.check();
    } finally {
      await queues.close();
    }
  }

  it('is rejected', async () => {
    server = createTlsServer({ key, cert }, response);
    expect(await rejection(check('rediss', {}))).to.match(/self-signed certificate/);
  });

  it('is accepted if REDIS_TLS_VERIFY is off', async () => {
    server = createTlsServer({ key, cert }, response);
    await check('rediss', { REDIS_TLS_VERIFY: 'false' });
  });

  it('is accessed without TLS if the address has no TLS', async () => {
    server = createServer(response);
    await check('redis', { REDIS_TLS_VERIFY: 'false' });
  });
});
