import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RtmpPublication } from '../../../workers/rtmp/publication.js';
import { eventually } from '../../support/eventually.js';
import { writeTags } from '../../support/flvEditing.js';
import { makeClip, makeVideo, runTool } from '../../support/media.js';
import { startEncoder, type Encoder } from '../../support/rtmp/encoder.js';
import { alice, bob, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';

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
