import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { languages } from '../../shared/platform/i18n.js';
import { openTestContext } from '../support/context.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { eventually } from '../support/eventually.js';
import { withoutMedia } from '../support/isoBoxes.js';
import { makeClip, makeVideo, settledContent, storedKeys, uploadClip } from '../support/media.js';
import { startWorkers } from '../support/workers.js';
import { makeUser } from '../support/users.js';
import { maxStreams } from '../../workers/media/index.js';
import { useFixture } from '../support/fixtures.js';

const secret = 'the-secret-of-another-user';

describe('the processing of a hostile file', function () {
  this.timeout(60_000);
  const limits = { MAXIMUM_DURATION_SECONDS: '5', MAXIMUM_PIXELS: '60000' };
  const direct = directTranscoding(limits);
  const ctx = useFixture(() => openTestContext(limits));
  let workers: { close: () => Promise<void> };
  let ownerId: string;
  let server: Server;
  let calls: string[];
  let folder: string;
  let address: string;
  let secretPath: string;

  before(async () => {
    ownerId = (await makeUser(ctx)).id;
    folder = await mkdtemp(join(tmpdir(), 'hostile-'));
    calls = [];
    server = createServer((request, response) => {
      calls.push(request.url ?? '');
      response.end(secret);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    secretPath = await makeVideo({ seconds: 1 });
    await writeFile(join(folder, 'secret.txt'), secret);
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status', 'mail'] });
  });

  after(async () => {
    await workers.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const text = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

  /** Files with the failure that is reported to the owner. */
  const files: readonly { name: string; file: () => Promise<Buffer | string> | Buffer | string; key: string }[] = [
    { name: 'an empty file', file: () => Buffer.alloc(0), key: 'empty' },
    {
      name: 'garbage',
      file: () => Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * index * 7919) & 0xff)),
      key: 'unsupported',
    },
    { name: 'a text file', file: () => text(['Dear Sir or Madam,', 'this is not a video.']), key: 'unsupported' },
    {
      name: 'a playlist of an address',
      file: () => text(['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXTINF:4,', `${address}/segment.ts`, '#EXT-X-ENDLIST']),
      key: 'unsupported',
    },
    {
      name: 'a playlist of a file',
      file: () =>
        text([
          ...['#EXTM3U', '#EXT-X-TARGETDURATION:4', `#EXT-X-MAP:URI="file://${secretPath}"`, '#EXTINF:4,'],
          ...[`file://${secretPath}`, '#EXT-X-ENDLIST'],
        ]),
      key: 'unsupported',
    },
    {
      name: 'a concat script',
      file: () => text(['ffconcat version 1.0', `file '${secretPath}'`, `file '${address}/other.mp4'`]),
      key: 'unsupported',
    },
    {
      name: 'a DASH manifest',
      file: () =>
        text([
          '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S"><Period><AdaptationSet>',
          `<Representation id="1" bandwidth="1"><BaseURL>${address}/video.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
        ]),
      key: 'unsupported',
    },
    {
      name: 'a vector image that refers to others',
      file: () =>
        text([
          `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${address}/image.png"/><image href="file://${folder}/secret.txt"/></svg>`,
        ]),
      key: 'unsupported',
    },
    {
      name: 'a session description',
      file: () =>
        text(['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=x', 'c=IN IP4 127.0.0.1', 't=0 0', 'm=video 5004 RTP/AVP 96']),
      key: 'unsupported',
    },
    {
      name: 'an image',
      file: () => makeClip('png', ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=0.04', '-frames:v', '1']),
      key: 'unsupported',
    },
    {
      name: 'a video truncated before its index',
      file: async () => (await readFile(await makeVideo({ seconds: 2 }))).subarray(0, 20_000),
      key: 'unreadable',
    },
    {
      name: 'a video whose frames are missing',
      file: async () => withoutMedia(await readFile(await makeVideo({ seconds: 2 }))),
      key: 'unreadable',
    },
    {
      name: 'a video that is too long',
      file: () => makeVideo({ seconds: 6, size: '64x64', rate: '10' }),
      key: 'tooLong',
    },
    { name: 'frames that are too large', file: () => makeVideo({ seconds: 1, size: '400x240' }), key: 'tooManyPixels' },
    {
      name: 'too many streams',
      file: () =>
        makeClip('mkv', [
          ...['-f', 'lavfi', '-i', 'sine=d=0.1'],
          ...Array.from({ length: maxStreams + 1 }, () => ['-map', '0']).flat(),
          ...['-c:a', 'aac'],
        ]),
      key: 'tooManyStreams',
    },
    {
      name: 'subtitles alone',
      file: () => makeSubtitles(),
      key: 'nothingToPlay',
    },
  ];

  async function makeSubtitles(): Promise<string> {
    const path = join(folder, 'words.srt');
    await writeFile(path, '1\n00:00:00,000 --> 00:00:01,000\nwords\n');
    return makeClip('mkv', ['-i', path, '-c:s', 'srt']);
  }

  for (const { name, file, key } of files) {
    it(`rejects ${name}`, async () => {
      const failure = await direct.failureOf(await file());
      expect(failure?.key).to.equal(`content.failure.${key}`);
      expect(failure?.detail).not.to.include(secret);
      for (const language of languages) expect(direct.ctx.translate(language, failure?.key ?? '')).to.match(/\S+ \S+/);
      expect(calls, 'addresses that were called').to.deep.equal([]);
    });
  }

  /** A file that ffprobe rejects at once, and one that fails at every attempt. */
  for (const chosen of ['a playlist of an address', 'a video whose frames are missing']) {
    it(`makes the content FAILED and leaves no files in all workers: ${chosen}`, async () => {
      const { file, key } = files.find(({ name }) => name === chosen)!;
      const id = await uploadClip(ctx, ownerId, await file(), 'video.mp4');
      const content = await eventually(() => settledContent(ctx, id), { timeoutMs: 40_000 });
      expect(content).to.include({ state: 'FAILED', failureKey: `content.failure.${key}` });
      expect(content.failureDetail).not.to.include(secret);
      expect(calls, 'addresses that were called').to.deep.equal([]);
      await eventually(async () => expect(await storedKeys(ctx, contentFolder(content))).to.deep.equal([]));
    });
  }

  it('transcodes the readable part of a truncated video', async () => {
    const whole = await readFile(
      await makeVideo({
        seconds: 4,
        size: '320x180',
        coding: [
          ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-c:a', 'aac'],
          ...['-movflags', '+faststart'],
        ],
      }),
    );
    const { durationSeconds, copy, missingEndSeconds } = await direct.transcode(
      whole.subarray(0, Math.floor(whole.length * 0.6)),
    );
    expect(missingEndSeconds, 'the message to the owner').to.be.within(1, 3);
    expect(copy, 'quick generation').to.equal('truncated');
    expect(durationSeconds).to.be.within(1, 3.8);
  });
});
