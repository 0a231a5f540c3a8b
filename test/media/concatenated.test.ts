import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { brightnesses, joinRendition, makeClip, audioStarts } from '../support/media.js';
import { directTranscoding, type Transcoded } from '../support/directTranscoding.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';

const seconds = 4;
const rate = 25;
/** The time of a bright frame and a tone in each part, in seconds. */
const markAt = 2;
const mark = `between(t,${markAt},${markAt + 0.3})`;
const video = [
  ...['-f', 'lavfi'],
  ...['-i', `nullsrc=s=160x90:r=${rate}:d=${seconds},geq=lum='16+200*${mark.replace('(t', '(T')}':cb=128:cr=128`],
];
const audio = ['-f', 'lavfi', '-i', `aevalsrc='0.7*sin(6000*t)*${mark}':d=${seconds}:s=48000`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p'];

async function clip(extension: string, options: readonly string[]): Promise<Buffer> {
  return readFile(await makeClip(extension, options));
}

/** A recording in a transport stream, with muxer options. */
function recording(...muxing: string[]): Promise<Buffer> {
  return clip('ts', [...video, ...audio, ...h264, '-c:a', 'mp2', ...muxing]);
}

/** A recording that can be copied if it is the only part. */
function plain(...muxing: string[]): Promise<Buffer> {
  return clip('ts', [...video, ...audio, ...h264, '-c:a', 'aac', ...muxing]);
}

const otherIds = ['-streamid', '0:600', '-streamid', '1:601'];
const audioFirst = ['-map', '1', '-map', '0', '-streamid', '0:700', '-streamid', '1:701'];

interface Joined {
  readonly name: string;
  readonly parts: () => Promise<Buffer>[];
  /** The number of parts without audio. */
  readonly silent?: number;
}

const joined: readonly Joined[] = [
  {
    name: 'whose timestamps jump ahead by an hour, and back by some seconds',
    parts: () => [recording(), recording('-output_ts_offset', '3600'), recording('-output_ts_offset', '3599')],
  },
  {
    name: 'each with its own stream ids, in another order',
    parts: () => [recording(), recording(...otherIds), recording(...audioFirst)],
  },
  {
    name: 'whose stream ids change while the timestamps continue',
    parts: () => [recording(), recording(...otherIds, '-output_ts_offset', String(seconds))],
  },
  {
    name: 'the first of them without audio',
    parts: () => [clip('ts', [...video, ...h264]), recording(), recording()],
    silent: 1,
  },
  {
    name: 'whose timestamps restart and whose audio codec changes',
    parts: () => [recording(), clip('ts', [...video, ...audio, ...h264, '-c:a', 'ac3', '-ac', '6', '-ar', '44100'])],
  },
  {
    name: 'in program streams',
    parts: () => {
      const part = clip('mpg', [...video, ...audio, '-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'ac3', '-f', 'dvd']);
      return [part, part];
    },
  },
];

const everyRun = ['whose timestamps restart and whose audio codec changes'];

describe('recordings concatenated into one file', function () {
  this.timeout(60_000);
  const direct = directTranscoding();
  const fixture = mediaFixture();

  async function transcode(parts: Promise<Buffer>[]): Promise<Transcoded> {
    return direct.transcode(Buffer.concat(await Promise.all(parts)));
  }

  async function flashes(media: Buffer): Promise<number[]> {
    const isBright = (await brightnesses(media)).map((value) => value > 120);
    return isBright.flatMap((is, frame) => (is && !isBright[frame - 1] ? frame / rate : []));
  }

  for (const { name, parts, silent = 0 } of rowsOf(joined, everyRun)) {
    it(`become one video with audio and video in sync: ${name}`, async () => {
      const { durationSeconds, media, copy } = await transcode(parts());
      expect(copy).not.to.equal('copied');
      const count = parts().length;
      expect(durationSeconds).to.be.closeTo(count * seconds, 0.1 * count);
      const [videoTimes, audioTimes] = [await flashes(media), await audioStarts(media)];
      expect(videoTimes).to.have.length(count);
      expect(audioTimes).to.have.length(count - silent);
      videoTimes.forEach((at, index) =>
        expect(at, `flash ${index}`).to.be.closeTo(index * seconds + markAt, 0.1 * (index + 1)),
      );
      audioTimes.forEach((at, index) =>
        expect(at - (videoTimes[index + silent] ?? 0), `beep ${index}`).to.be.closeTo(0, 0.05),
      );
    });
  }

  it('are copied if there is only one', async () => {
    expect((await direct.prepare(await plain())).copy).to.equal('copied');
  });

  const larger = ['-muxrate', '60M'];
  const continued = ['-output_ts_offset', String(seconds)];
  const uncopied = [
    { name: 'timestamps that jump ahead', parts: () => [plain(), plain('-output_ts_offset', '3600')] },
    { name: 'timestamps that restart', parts: () => [plain(), plain()] },
    { name: 'other streams', parts: () => [plain(), plain(...otherIds, ...continued)] },
    { name: 'other streams after the probed range', parts: () => [plain(...larger), plain(...otherIds, ...larger)] },
    { name: 'other audio', parts: () => [plain(), plain('-streamid', '1:601', ...continued)] },
    { name: 'audio that ends with the first one', parts: () => [plain(), plain('-an', ...continued)] },
  ];
  for (const { name, parts } of rowsOf(uncopied, ['other streams after the probed range']))
    it(`are not copied: ${name}`, async () => {
      const { copy, plan } = await direct.prepare(Buffer.concat(await Promise.all(parts())));
      expect(copy).not.to.equal('copied');
      expect(plan.durationMs).to.be.closeTo(2 * seconds * 1000, 200);
    });

  it('become one content if they have only audio', async () => {
    const { durationSeconds, media } = await transcode([1, 2].map(() => clip('ts', [...audio, '-c:a', 'mp2'])));
    expect(durationSeconds).to.be.closeTo(2 * seconds, 0.2);
    expect(await audioStarts(media)).to.have.length(2);
  });

  it('are rejected if their video codecs differ', async () => {
    const other = clip('ts', [...video, ...audio, '-c:v', 'mpeg2video', '-c:a', 'mp2']);
    const file = Buffer.concat(await Promise.all([recording(), other]));
    expect((await direct.failureOf(file))?.key).to.equal('content.failure.unsupported');
  });

  it('are rejected beyond the maximum number of parts', async () => {
    const part = await clip('ts', [...audio, '-t', '1', '-c:a', 'mp2']);
    const file = Buffer.concat(Array.from({ length: 201 }, () => part));
    expect((await direct.failureOf(file))?.key).to.equal('content.failure.unreadable');
  });

  it('become one READY content through all workers', async () => {
    const parts = await Promise.all([recording(), recording('-output_ts_offset', '3600')]);
    const content = await fixture.make(Buffer.concat(parts));
    expect(content.durationMs).to.be.closeTo(2 * seconds * 1000, 200);
    const folder = generationFolder(content, 1);
    const media = await joinRendition(fixture.ctx, folder, content.plan?.renditions[0]?.name ?? '');
    expect(await flashes(media)).to.have.length(2);
  });
});
