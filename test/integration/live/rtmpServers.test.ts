import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startRtmpServers } from '../../../workers/live/rtmpServers.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { makeVideo } from '../../support/media.js';
import { freePort } from '../../support/processes.js';
import { rejection } from '../../support/rejection.js';
import { startEncoder } from '../../support/rtmp/encoder.js';
import { alice, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';

const decisions = {
  authenticate: () => Promise.resolve({ allowed: false as const, reason: 'nobody' }),
  onPublish() {},
};
const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(1536)]);

describe('RTMP servers, with and without TLS', () => {
  let folder: string;
  let ctx: TestContext | undefined;
  let server: TestRtmp | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-rtmps-'));
    for (const name of ['first', 'second']) await makeCertificate(name);
  });
  afterEach(async () => {
    await ctx?.close();
    await server?.stop();
    [ctx, server] = [undefined, undefined];
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const filesOf = (name: string) => ({ certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) });

  async function makeCertificate(name: string): Promise<void> {
    const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    const { certificate, key } = filesOf(name);
    const files = ['-keyout', key, '-out', certificate];
    await promisify(execFile)('openssl', ['req', ...form, '-subj', `/CN=${name}`, ...files]);
  }

  async function presentedName(port: number): Promise<string> {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const name = socket.getPeerCertificate().subject.CN;
    socket.destroy();
    return String(name);
  }

  it('listen on both ports, and present a new certificate after its files have changed', async () => {
    const port = await freePort();
    const [{ certificate, key }, next] = [filesOf('first'), filesOf('second')];
    ctx = await openTestContext({
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', RTMPS_PORT: String(port) },
      ...{ RTMPS_CERTIFICATE_FILE: certificate, RTMPS_KEY_FILE: key },
    });
    const servers = await startRtmpServers(ctx, decisions, 50);
    try {
      expect(await presentedName(port)).to.equal('first');
      // Certificate and key do not match yet: the old certificate is kept.
      await rename(next.certificate, certificate);
      expect(await presentedName(port)).to.equal('first');
      await rename(next.key, key);
      await eventually(async () => expect(await presentedName(port)).to.equal('second'));
    } finally {
      await servers.close();
    }
    expect((await rejection(presentedName(port))).message).to.include('ECONNREFUSED');
  });

  it('do not start without their certificate, or if a port is in use, which the error names', async () => {
    const { key } = filesOf('first');
    const error = await rejection(startTestRtmp({ tls: { certificate: key, key } }));
    expect(error.message).to.match(/PEM|certificate/i);
    expect((await rejection(startTestRtmp({ tls: { certificate: '/nowhere', key } }))).message).to.include('ENOENT');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    ctx = await openTestContext({ RTMP_HOST: '127.0.0.1', RTMP_PORT: String(port) });
    const conflict = await rejection(startRtmpServers(ctx, decisions));
    expect(conflict.message).to.equal(`RTMP_PORT ${port} cannot be opened: EADDRINUSE`);
    taken.close();
  });

  it('accept a stream over TLS, and drop plain connections', async () => {
    server = await startTestRtmp({ tls: filesOf('first') });
    const clip = await makeVideo({ seconds: 2, size: '320x180' });
    const { printed } = await startEncoder(clip, `rtmps://127.0.0.1:${server.port}/key/${keyOf(alice)}`).ended;
    const { publication } = server.taken[0] ?? expect.fail(printed);
    expect(await publication.ended).to.deep.equal({ reason: 'unpublished' });
    expect(publication.counts.videoMessages).to.equal(50);
    await server.reloadCertificate();
    const plain = connect(server.port, '127.0.0.1');
    plain.on('error', () => {});
    plain.write(handshake);
    plain.resume();
    await once(plain, 'close');
    await eventually(() => expect(server?.connections).to.equal(0));
  });

  it('accept TLS behind a proxy header', async () => {
    server = await startTestRtmp({ proxyHosts: ['127.0.0.1'], tls: filesOf('first') });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('PROXY TCP4 192.0.2.7 203.0.113.1 56324 1935\r\n');
    const encrypted = connectTls({ socket, rejectUnauthorized: false });
    await once(encrypted, 'secureConnect');
    encrypted.write(handshake);
    const [reply] = (await once(encrypted, 'data')) as [Buffer];
    expect(reply[0]).to.equal(3);
    socket.destroy();
    await eventually(() => expect(server?.connections).to.equal(0));
  });
});
