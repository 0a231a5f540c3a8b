import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/processes.js';
import { rejection } from '../../support/rejection.js';
import { startRtmpServers } from '../../../workers/live/rtmpServers.js';

const decisions = {
  authenticate: () => Promise.resolve({ allowed: false as const, reason: 'nobody' }),
  onPublish() {},
};

describe('RTMP servers of the live process', () => {
  let folder: string;
  let ctx: TestContext | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-rtmps-'));
    for (const name of ['first', 'second']) await makeCertificate(name);
  });
  afterEach(async () => {
    await ctx?.close();
    ctx = undefined;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const certificateFile = (name: string): string => join(folder, `${name}.pem`);
  const keyFile = (name: string): string => join(folder, `${name}.key`);

  async function makeCertificate(name: string): Promise<void> {
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ];
    const files = ['-keyout', keyFile(name), '-out', certificateFile(name)];
    await promisify(execFile)('openssl', [...request, '-subj', `/CN=${name}`, ...files]);
  }

  async function presentedName(port: number): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const name = socket.getPeerCertificate().subject.CN;
    socket.destroy();
    return String(name);
  }

  it('listen on both ports, and present a new certificate when its files have changed', async () => {
    const port = await freePort();
    ctx = await openTestContext({
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', RTMPS_PORT: String(port) },
      ...{ RTMPS_CERTIFICATE_FILE: certificateFile('first'), RTMPS_KEY_FILE: keyFile('first') },
    });
    const servers = await startRtmpServers(ctx, decisions, 50);
    try {
      expect(await presentedName(port)).to.equal('first');
      // Between the two, the files do not fit together: the old certificate stays.
      await rename(certificateFile('second'), certificateFile('first'));
      expect(await presentedName(port)).to.equal('first');
      await rename(keyFile('second'), keyFile('first'));
      await eventually(async () => expect(await presentedName(port)).to.equal('second'));
    } finally {
      await servers.close();
    }
    expect((await rejection(presentedName(port))).message).to.include('ECONNREFUSED');
  });

  it('do not start where a port is taken, and say which', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    ctx = await openTestContext({ RTMP_HOST: '127.0.0.1', RTMP_PORT: String(port) });
    const error = await rejection(startRtmpServers(ctx, decisions));
    expect(error.message).to.equal(`RTMP_PORT ${port} cannot be opened: EADDRINUSE`);
    taken.close();
  });
});
