import { expect } from 'chai';
import { generationFolder } from '../../shared/content/storageKeys.js';
import {
  brightnesses,
  brightnessOf,
  joinRendition,
  makeClip,
  numberedFrames,
  packetsOf,
  readStored,
} from '../support/media.js';
import type { CopyOutcome } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';

const seconds = 9.4;
const tone = ['-f', 'lavfi', '-i', `sine=f=440:r=44100:d=${seconds}`];
const x264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'fast', '-qp', '12'];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '4', '-b:v', '0', '-g', '100'];
const hevc = [
  ...['-c:v', 'libx265', '-preset', 'ultrafast'],
  ...['-x265-params', 'qp=8:log-level=none:keyint=100:min-keyint=100:scenecut=0', '-tag:v', 'hvc1'],
];

interface Source {
  readonly name: string;
  readonly extension: string;
  readonly rate: readonly [number, number];
  readonly options: readonly string[];
  /** Whether its quick generation is a copy, or the reason why not. */
  readonly copy: CopyOutcome;
  /** The start of decoding of chunks. Absent: the keyframe before each chunk. */
  readonly keyframesAtSegments?: true;
}

/** Constant frame rates in containers and codecs that make seeks to a chunk's first frame difficult. */
const sources: readonly Source[] = [
  {
    name: 'long closed GOPs with B-frames',
    copy: 'copied',
    extension: 'mp4',
    rate: [25, 1],
    options: [...x264, '-g', '300', '-bf', '3', '-c:a', 'aac'],
  },
  {
    name: 'open GOPs',
    copy: 'openGop',
    extension: 'mkv',
    rate: [30_000, 1001],
    options: [...x264, '-g', '50', '-x264-params', 'open-gop=1', '-c:a', 'aac'],
  },
  {
    name: 'a transport stream',
    copy: 'copied',
    extension: 'ts',
    rate: [25, 1],
    options: [...x264, '-g', '60', '-c:a', 'aac'],
  },
  {
    name: 'AVI without timestamps',
    copy: 'container',
    extension: 'avi',
    rate: [25, 1],
    options: ['-c:v', 'mpeg4', '-q:v', '1', '-bf', '2', '-g', '90', '-c:a', 'mp3'],
  },
  { name: 'VP9 in WebM', copy: 'codec', extension: 'webm', rate: [24_000, 1001], options: [...vp9, '-c:a', 'libopus'] },
  {
    name: 'HEVC in MOV',
    copy: 'codec',
    extension: 'mov',
    rate: [50, 1],
    options: [...hevc, '-c:a', 'aac'],
    keyframesAtSegments: true,
  },
  {
    name: 'fragmented MP4',
    copy: 'copied',
    extension: 'mp4',
    rate: [30, 1],
    options: [...x264, '-g', '60', '-sc_threshold', '0', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
    keyframesAtSegments: true,
  },
  {
    name: '12.5 frames a second',
    copy: 'copied',
    extension: 'mp4',
    rate: [25, 2],
    options: [...x264, '-g', '25', '-sc_threshold', '0', '-c:a', 'aac'],
    keyframesAtSegments: true,
  },
  {
    name: '45 frames a second in Matroska',
    copy: 'copied',
    extension: 'mkv',
    rate: [45, 1],
    options: [...x264, '-g', '80', '-c:a', 'aac'],
  },
  { name: 'a GIF', copy: 'container', extension: 'gif', rate: [100, 7], options: ['-map', '0:v', '-pix_fmt', 'gray'] },
];

describe('the timeline of a transcoded video', function () {
  this.timeout(60_000);
  const direct = directTranscoding({ CHUNK_SECONDS: '4' });

  async function expectSeamless(media: Buffer): Promise<void> {
    for (const kind of ['v', 'a'] as const) {
      const packets = await packetsOf(media, kind);
      const step = packets.at(-1)?.duration ?? 0;
      const inOrder = packets.map(({ dts }) => dts);
      const shown = packets.map(({ pts }) => pts).toSorted((left, right) => left - right);
      for (const times of [inOrder, shown]) {
        const breaks = times.filter((time, index) => index > 0 && time - (times[index - 1] ?? 0) !== step);
        expect(breaks, `gaps or overlaps in ${kind}`).to.deep.equal([]);
      }
    }
  }

  for (const { name, extension, rate, options, copy, keyframesAtSegments = false } of rowsOf(sources, [
    'open GOPs',
    'AVI without timestamps',
    'fragmented MP4',
  ])) {
    it(`contains every frame of ${name} once, at its time`, async () => {
      const clip = await makeClip(extension, [...numberedFrames(rate.join('/'), seconds), ...tone, ...options]);
      const { plan, media, copy: copied } = await direct.transcode(clip);
      expect(copied, 'quick generation').to.equal(copy);
      expect(plan)
        .to.include({ chunkCount: plan.source.seekable ? 3 : 1 })
        .and.deep.include({ frameRate: rate });
      expect(plan.source).to.include({ keyframesAtSegments });
      const shown = await brightnesses(media);
      expect(shown).to.have.length(Math.ceil((seconds * rate[0]) / rate[1] - 1e-6));
      const wrong = shown.flatMap((value, frame) =>
        Math.abs(value - brightnessOf(frame)) > 3 ? [{ frame, value, expected: brightnessOf(frame) }] : [],
      );
      expect(wrong).to.deep.equal([]);
      await expectSeamless(media);
    });
  }

  it('converts a variable frame rate to a constant one with each frame near its time', async () => {
    const clip = await makeClip('mkv', [
      ...numberedFrames('30', seconds),
      ...tone,
      ...[
        ...['-vf', `select='not(eq(mod(n,7),3)+eq(mod(n,11),5))'`, '-fps_mode', 'vfr'],
        ...x264,
        ...['-g', '60', '-c:a', 'aac'],
      ],
    ]);
    const { plan, media } = await direct.transcode(clip);
    const shown = await brightnesses(media);
    expect(plan).to.deep.include({ frameRate: [30, 1] });
    expect(shown).to.have.length(seconds * 30);
    const late = shown.flatMap((value, frame) =>
      [0, 1, 2].some((back) => Math.abs(value - brightnessOf(frame - back)) <= 3) || frame < 3
        ? []
        : [{ frame, value }],
    );
    expect(late).to.deep.equal([]);
    await expectSeamless(media);
  });
});

describe('the frame rate of a transcoded video', function () {
  this.timeout(60_000);
  const direct = directTranscoding({ CHUNK_SECONDS: '4' });

  /** `frameOf`: maps a frame number to the source frame that is shown. */
  async function expectFrames(media: Buffer, frameOf: (shown: number) => number): Promise<void> {
    const wrong = (await brightnesses(media)).flatMap((value, shown) =>
      Math.abs(value - brightnessOf(frameOf(shown))) > 3 ? [{ shown, value, expected: frameOf(shown) }] : [],
    );
    expect(wrong).to.deep.equal([]);
  }

  it('is an even fraction of a source rate above 60', async () => {
    const clip = await makeClip('mkv', [...numberedFrames('100', 3), ...x264]);
    const { plan, media } = await direct.transcode(clip);
    expect(plan).to.deep.include({ frameRate: [50, 1], frameCount: 150 });
    await expectFrames(media, (shown) => 2 * shown);
  });

  it('is the rate of its motion if it is mostly still, like a screen recording', async () => {
    const [rate, still, moving] = [60, 6, 0.5];
    const moves = ['-vf', `select='lt(mod(t,${still}),${moving})'`, '-fps_mode', 'vfr'];
    const clip = await makeClip('mkv', [...numberedFrames(String(rate), 4 * still), ...moves, ...x264]);
    const { plan, media } = await direct.transcode(clip);
    expect(plan).to.deep.include({ frameRate: [60, 1] });
    await expectFrames(media, (shown) => {
      const [times, frame] = [Math.floor(shown / (rate * still)), shown % (rate * still)];
      return times * rate * still + Math.min(frame, rate * moving - 1);
    });
  });
});

describe('the renditions of a content', function () {
  this.timeout(60_000);
  const fixture = mediaFixture({ CHUNK_SECONDS: '4' });

  it('have aligned segments and the same audio', async () => {
    const clip = await makeClip('mp4', [
      ...['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=30000/1001:d=${seconds}`],
      ...tone,
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ]);
    const content = await fixture.make(clip);
    const folder = generationFolder(content, 1);
    const renditions = content.plan?.renditions.map(({ name }) => name) ?? [];
    expect(renditions).to.deep.equal(['240p', '360p']);
    const playlists = await Promise.all(
      renditions.map(async (rendition) => (await readStored(fixture.ctx, `${folder}/${rendition}.m3u8`)).toString()),
    );
    const [lower, upper] = playlists.map((playlist, index) =>
      playlist.replaceAll(renditions[index] as string, 'rendition').replaceAll(/-[0-9a-f]{16}/g, ''),
    );
    expect(lower).to.equal(upper);
    const [first, second] = await Promise.all(
      renditions.map(async (rendition) => packetsOf(await joinRendition(fixture.ctx, folder, rendition), 'a')),
    );
    expect(first).to.deep.equal(second);
  });
});

describe('the last frame of a video without audio', function () {
  this.timeout(60_000);
  const direct = directTranscoding();
  const [movingSeconds, lastSeconds] = [2, 21];
  const last = `setts=duration='if(eq(N,${movingSeconds * 25 - 1}),${lastSeconds}/TB,DURATION)'`;
  const frames = numberedFrames('25', movingSeconds);
  const longLast = async (extension: string): Promise<string> => {
    const usual = await makeClip('mp4', [...frames, ...x264, '-bf', '0']);
    return makeClip(extension, ['-i', usual, '-c', 'copy', '-bsf:v', last]);
  };

  for (const { name, clip } of [
    { name: 'MP4', clip: () => longLast('mp4') },
    { name: 'MOV', clip: () => longLast('mov') },
    {
      name: 'GIF',
      clip: () => makeClip('gif', [...frames, '-final_delay', String(lastSeconds * 100)]),
    },
  ]) {
    it(`is shown for its declared duration in both generations: ${name}`, async () => {
      const { plan, missingEndSeconds, copy } = await direct.prepare(await clip());
      expect(plan.durationMs / 1000).to.be.closeTo(movingSeconds - 0.04 + lastSeconds, 0.1);
      expect(missingEndSeconds).to.equal(0);
      expect(copy, 'a copy would end earlier').not.to.equal('copied');
    });
  }
});
