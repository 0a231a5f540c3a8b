import { rm, writeFile, mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RtmpPublication } from '../../../workers/rtmp/publication.js';
import { eventually, rejection } from '../../support/eventually.js';
import { writeTags } from '../../support/flvEditing.js';
import { makeClip, makeVideo, runTool } from '../../support/media.js';
import { startEncoder, type Encoder } from '../../support/rtmp/encoder.js';
import { alice, bob, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { startRtmpServers } from '../../../workers/live/rtmpServers.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { freePort } from '../../support/deployment.js';

/** Times, sizes and hashes of all packets. */
async function packetsOf(path: string): Promise<string[]> {
  const text = await runTool('ffmpeg', ['-i', path, '-c', 'copy', '-f', 'framemd5', '-']);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('RTMP publishing with ffmpeg', () => {
  let server: TestRtmp;
  let clip: string;
  const folder = tmpdir();
  const encoders: Encoder[] = [];

  const publish = (address: string, options: Parameters<typeof startEncoder>[2] = {}): Encoder => {
    const encoder = startEncoder(clip, address, options);
    encoders.push(encoder);
    return encoder;
  };
  const withLogin = (password: string, streamPath = alice.streamPath): string =>
    `rtmp://${alice.user}:${password}@127.0.0.1:${server.port}/live/${streamPath}`;
  const withKey = (key: string): string => `rtmp://127.0.0.1:${server.port}/key/${key}`;

  before(async () => {
    clip = await makeVideo({ seconds: 2, size: '320x180' });
  });

  beforeEach(async () => {
    server = await startTestRtmp();
  });

  afterEach(async () => {
    await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
    await server.stop();
  });

  for (const [what, address] of [
    ['Adobe’s challenge', () => withLogin(alice.password)],
    ['credentials in the stream key', () => withKey(keyOf(alice))],
  ] as const)
    it(`stores every frame as sent, with ${what}`, async () => {
      const { code, printed } = await publish(address()).ended;
      expect(code, printed).to.equal(0);
      const [{ publication, tags } = expect.fail()] = server.taken;
      expect(await publication.ended).to.deep.equal({ reason: 'unpublished' });
      expect(publication).to.include({ owner: 'alice', streamPath: 'news' });
      expect(publication.codecs).to.deep.equal({ audio: 'AAC', video: 'H.264' });
      expect(publication.metadata).to.include({ width: 320, height: 180, framerate: 25 });
      expect(publication.counts).to.include({ videoMessages: 50, droppedMessages: 0, videoConfigurations: 1 });
      const [sent, stored] = [join(folder, `${randomUUID()}.flv`), join(folder, `${randomUUID()}.flv`)];
      await runTool('ffmpeg', ['-i', clip, '-c', 'copy', '-flvflags', 'no_duration_filesize', sent]);
      await writeFile(stored, writeTags(tags));
      expect(await packetsOf(stored)).to.deep.equal(await packetsOf(sent));
      await Promise.all([sent, stored].map((path) => rm(path)));
    });

  it('rejects invalid credentials, other users’ paths and other applications with a message, and reads no media', async () => {
    const rows = [
      [withLogin('wrong'), 'Incorrect username/password'],
      [`rtmp://127.0.0.1:${server.port}/live/news`, 'No credentials set'],
      [withKey('sports?user=alice&pass=wrong'), 'The credentials are wrong.'],
      [withKey('news'), 'Credentials are missing.'],
      [withLogin(alice.password, bob.streamPath), 'There is no such stream.'],
      [`rtmp://127.0.0.1:${server.port}/else/news?user=alice`, 'Unknown application.'],
    ] as const;
    const refused = async ([address, sentence]: (typeof rows)[number]): Promise<void> => {
      const { code, printed } = await publish(address).ended;
      expect(code).not.to.equal(0);
      expect(printed).to.include(sentence);
    };
    await Promise.all(rows.map(refused));
    expect(server.taken).to.have.length(0);
    await eventually(() => expect(server.connections).to.equal(0));
    const refusals = server.refusals.map(({ application, streamPath, reason }) => ({
      application,
      streamPath,
      reason,
    }));
    expect(refusals).to.deep.include.members([
      { application: 'live', streamPath: undefined, reason: 'The credentials are wrong.' },
      { application: 'key', streamPath: 'sports', reason: 'The credentials are wrong.' },
    ]);
  });

  it('accepts video without audio, and MP3 without video', async () => {
    const audio = ['-vn', '-c:a', 'libmp3lame', '-ar', '44100'];
    await Promise.all([
      publish(withKey(keyOf(alice)), { options: ['-an'] }).ended,
      publish(withKey(keyOf(bob)), { options: audio }).ended,
    ]);
    const codecsOf = (user: string) =>
      server.taken.find(({ publication }) => publication.owner === user)?.publication.codecs;
    expect(codecsOf('alice')).to.deep.equal({ audio: null, video: 'H.264' });
    expect(codecsOf('bob')).to.deep.equal({ audio: 'MP3', video: null });
  });

  it('continues across 24-bit timestamps, and 31-bit timestamps, at which ffmpeg wraps around', async () => {
    const firstSeconds = [16_776, 2_147_482];
    await Promise.all(
      firstSeconds.map(async (seconds, index) => {
        const options = ['-copyts', '-output_ts_offset', String(seconds)];
        await publish(withKey(keyOf(index === 0 ? alice : bob)), { options }).ended;
      }),
    );
    for (const seconds of firstSeconds) {
      const isThis = ({ publication: { counts } }: (typeof server.taken)[number]): boolean =>
        Math.abs((counts.firstTimestamp ?? 0) - seconds * 1000) <= 100;
      const { publication } = server.taken.find(isThis) ?? expect.fail(`nothing from ${seconds} s`);
      await publication.ended;
      expect(publication.counts.videoMessages, `from ${seconds} s`).to.equal(50);
      expect(publication.counts.lastMediaMs).to.be.closeTo(1960, 60);
    }
  });

  it('ends the publication when the encoder is killed', async () => {
    const encoder = publish(withLogin(alice.password), { isLive: true });
    const { publication } = await eventually(() => server.taken[0] ?? expect.fail('nothing published'));
    await eventually(() => expect(publication.counts.videoMessages).to.be.greaterThan(5));
    await encoder.kill();
    expect(await publication.ended).to.deep.equal({ reason: 'connection lost' });
    expect(publication.counts.lastMediaAt?.getTime()).to.be.closeTo(Date.now(), 1000);
  });

  it('makes the encoder wait for a slow reader, and buffers no more than the limit', async () => {
    await server.stop();
    const large = await makeClip('mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=2', '-c:v', 'libx264', '-preset', 'ultrafast'],
      ...['-b:v', '12M', '-pix_fmt', 'yuv420p'],
    ]);
    const bufferedBytes = 256 * 1024;
    const started: RtmpPublication<string>[] = [];
    server = await startTestRtmp({
      limits: { bufferedBytes },
      onPublish: (publication) => void started.push(publication),
    });
    const encoder = startEncoder(large, withKey(keyOf(alice)));
    encoders.push(encoder);
    const publication = await eventually(() => started[0] ?? expect.fail('nothing published'));
    let [maxBytes, total] = [0, 0];
    await eventually(() => expect(publication.counts.bufferedBytes).to.be.at.least(bufferedBytes));
    for await (const batch of publication.tags) {
      maxBytes = Math.max(maxBytes, publication.counts.bufferedBytes);
      for (const { payload } of batch) total += payload.length;
    }
    expect(await publication.ended).to.deep.equal({ reason: 'unpublished' });
    expect((await encoder.ended).code).to.equal(0);
    expect(total).to.be.greaterThan(4 * bufferedBytes);
    expect(maxBytes).to.be.at.most(bufferedBytes + 512 * 1024);
  });
});

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
