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
  const tagsTaken = (): number => server.taken.reduce((sum, { tags }) => sum + tags.length, 0);

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
    it(`stores what was sent, frame by frame, with ${what}`, async () => {
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

  for (const [what, address, sentence] of [
    ['a wrong password, by challenge', () => withLogin('wrong'), 'Incorrect username/password'],
    ['a wrong password, in the stream key', () => withKey('news?user=alice&pass=wrong'), 'The credentials are wrong.'],
    ['no credentials', () => `rtmp://127.0.0.1:${server.port}/live/news`, 'No credentials set'],
    ['no credentials in the stream key', () => withKey('news'), 'Credentials are missing.'],
    ['the path of somebody else', () => withLogin(alice.password, bob.streamPath), 'There is no such stream.'],
    [
      'another application',
      () => `rtmp://127.0.0.1:${server.port}/else/news?user=alice`,
      'There is no such application.',
    ],
  ] as const)
    it(`refuses ${what}, in words`, async () => {
      const { code, printed } = await publish(address()).ended;
      expect(code).not.to.equal(0);
      expect(printed).to.include(sentence);
      expect(server.taken).to.have.length(0);
    });

  it('refuses a codec other than H.264 at its first message, in words', async () => {
    const coding = ['-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'];
    const encoder = publish(withKey(keyOf(alice)), { isLive: true, options: coding });
    const { printed } = await encoder.ended;
    const [{ publication } = expect.fail()] = server.taken;
    expect(await publication.ended).to.deep.equal({ reason: 'unsupported codec', detail: 'video Sorenson H.263' });
    expect(printed).to.match(/unsupported codec|Broken pipe|reset by peer/);
    expect(publication.counts.videoMessages).to.equal(0);
  });

  it('takes video without audio, and MP3 without video', async () => {
    await publish(withKey(keyOf(alice)), { options: ['-an'] }).ended;
    await publish(withKey(keyOf(bob)), { options: ['-vn', '-c:a', 'libmp3lame', '-ar', '44100'] }).ended;
    const [first, second] = server.taken;
    expect(first?.publication.codecs).to.deep.equal({ audio: null, video: 'H.264' });
    expect(second?.publication.codecs).to.deep.equal({ audio: 'MP3', video: null });
  });

  it('continues over timestamps of 24 bits, and of the 31 bits after which ffmpeg wraps', async () => {
    for (const seconds of [16_776, 2_147_482]) {
      const options = ['-copyts', '-output_ts_offset', String(seconds)];
      const { printed } = await publish(withKey(keyOf(alice)), { options }).ended;
      const { publication } = server.taken.at(-1) ?? expect.fail(printed);
      await publication.ended;
      expect(publication.counts.videoMessages, `from ${seconds} s`).to.equal(50);
      expect(publication.counts.firstTimestamp).to.be.closeTo(seconds * 1000, 100);
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

  it('gives the stream to a second encoder at once, when the caller ends the first', async () => {
    const first = publish(withLogin(alice.password), { isLive: true });
    const { publication, tags } = await eventually(() => server.taken[0] ?? expect.fail('nothing published'));
    await eventually(() => expect(publication.counts.videoMessages).to.be.greaterThan(5));
    publish(withLogin(alice.password), { isLive: true });
    const second = await eventually(() => server.taken[1] ?? expect.fail('the second is not there'));
    publication.end('taken over');
    const stored = tags.length;
    expect(await publication.ended).to.deep.equal({ reason: 'taken over' });
    expect((await first.ended).code).not.to.equal(0);
    await eventually(() => expect(second.publication.counts.videoMessages).to.be.greaterThan(5));
    expect(tags.length).to.be.at.most(stored + 10);
    expect(server.connections).to.equal(1);
  });

  it('makes the encoder wait for a slow reader, and holds no more than its buffer', async () => {
    await server.stop();
    clip = await makeClip('mp4', [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=1280x720:r=25:d=2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-b:v',
      '12M',
      '-pix_fmt',
      'yuv420p',
    ]);
    const bufferedBytes = 256 * 1024;
    const started: RtmpPublication<string>[] = [];
    server = await startTestRtmp({
      limits: { bufferedBytes },
      onPublish: (publication) => void started.push(publication),
    });
    const encoder = publish(withKey(keyOf(alice)));
    const publication = await eventually(() => started[0] ?? expect.fail('nothing published'));
    let most = 0;
    let total = 0;
    await eventually(() => expect(publication.counts.bufferedBytes).to.be.at.least(bufferedBytes));
    for await (const batch of publication.tags) {
      most = Math.max(most, publication.counts.bufferedBytes);
      for (const { payload } of batch) total += payload.length;
    }
    expect(await publication.ended).to.deep.equal({ reason: 'unpublished' });
    expect((await encoder.ended).code).to.equal(0);
    expect(total).to.be.greaterThan(4 * bufferedBytes);
    expect(most).to.be.at.most(bufferedBytes + 512 * 1024);
    clip = await makeVideo({ seconds: 2, size: '320x180' });
  });

  it('counts nothing for streams that were refused', async () => {
    await publish(withLogin('wrong')).ended;
    await publish(withKey('sports?user=alice&pass=wrong')).ended;
    expect(tagsTaken()).to.equal(0);
    await eventually(() => expect(server.connections).to.equal(0));
    expect(
      server.refusals.map(({ application, streamPath, reason }) => ({ application, streamPath, reason })),
    ).to.deep.equal([
      { application: 'live', streamPath: undefined, reason: 'The credentials are wrong.' },
      { application: 'key', streamPath: 'sports', reason: 'The credentials are wrong.' },
    ]);
  });
});
