import { expect } from 'chai';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { Thumbnail } from '../../shared/content/thumbnail.model.js';
import { joinRendition, makeClip, makeVideo, packetsOf, runTool, turned } from '../support/media.js';
import type { CopyOutcome } from '../support/directCopy.js';
import { directTranscoding, type Transcoded } from '../support/directTranscoding.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const video = (size: string, rate = '25', seconds = 1.2): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
];
const tone = (seconds = 1.2): string[] => ['-f', 'lavfi', '-i', `sine=f=300:r=44100:d=${seconds}`];

/** A film of 320x180 with a larger cover as its first track: one frame without an attached-picture mark. */
const withCover = (extension: string, ...coding: readonly string[]): Promise<string> =>
  makeClip(extension, [
    ...[...video('320x180'), '-f', 'lavfi', '-i', 'color=orange:s=640x360:r=25:d=0.04'],
    ...['-map', '1', '-map', '0', ...coding, '-disposition:v:1', '0'],
  ]);
const film = ['-c:v:1', 'libx264', '-preset', 'ultrafast', '-pix_fmt:v:1', 'yuv420p'];
const jpeg = ['-c:v:0', 'mjpeg', '-pix_fmt:v:0', 'yuvj420p'];

interface Format {
  readonly name: string;
  readonly clip: () => Promise<string>;
  /** The size of the top rendition. */
  readonly size: string;
  readonly seconds: number;
  /** Whether its quick generation is a copy, or the reason why not. */
  readonly copy: CopyOutcome;
  readonly check?: (transcoded: Transcoded) => void;
}

const formats: readonly Format[] = [
  {
    name: 'a video without audio',
    copy: 'copied',
    clip: () => makeClip('mp4', [...video('320x180'), ...h264]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: '5.1 audio',
    copy: 'copied',
    clip: () =>
      makeClip('mp4', [
        ...video('320x180'),
        ...['-f', 'lavfi'],
        ...['-i', 'anoisesrc=d=1.2:a=0.1,aformat=channel_layouts=mono,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0'],
        ...h264,
        ...['-c:a', 'ac3'],
      ]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'a video with a rotation tag',
    copy: 'rotation',
    clip: async () => turned(await makeVideo({ seconds: 1, size: '320x180' })),
    size: '180x320',
    seconds: 1,
  },
  {
    name: 'a portrait video',
    copy: 'copied',
    clip: () => makeVideo({ seconds: 1, size: '270x480' }),
    size: '270x480',
    seconds: 1,
  },
  {
    name: 'odd frame sizes',
    copy: 'codec',
    clip: () => makeClip('mkv', [...video('321x181'), '-c:v', 'ffv1', '-pix_fmt', 'yuv444p']),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: '10-bit HEVC',
    copy: 'codec',
    clip: () =>
      makeClip('mp4', [
        ...video('320x180'),
        ...tone(),
        ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'],
        ...['-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1', '-c:a', 'aac'],
      ]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'AV1',
    copy: 'codec',
    clip: () =>
      makeClip('mp4', [
        ...video('320x180', '25', 0.8),
        ...['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-pix_fmt', 'yuv420p'],
      ]),
    size: '320x180',
    seconds: 0.8,
  },
  {
    name: 'high dynamic range video',
    copy: 'codec',
    clip: () =>
      makeClip('mp4', [
        ...video('320x180'),
        ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
        ...[
          '-x265-params',
          'log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc',
          '-tag:v',
          'hvc1',
        ],
      ]),
    size: '320x180',
    seconds: 1.2,
    check: ({ plan }) => expect(plan.source.highDynamicRange).to.equal('hlg'),
  },
  {
    name: 'non-square pixels',
    copy: 'pixelAspect',
    clip: () => makeClip('mp4', [...video('240x180'), '-vf', 'setsar=4/3', ...h264]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: '576 lines, between two steps of the ladder',
    copy: 'pixelAspect',
    clip: () => makeClip('mp4', [...video('720x576'), '-vf', 'setsar=16/15', ...h264]),
    size: '768x576',
    seconds: 1.2,
  },
  {
    name: 'one single frame',
    copy: 'duration',
    clip: () => makeClip('mp4', [...video('320x180'), '-frames:v', '1', ...h264]),
    size: '320x180',
    seconds: 0.04,
  },
  {
    name: 'audio alone',
    copy: 'noVideo',
    clip: () => makeClip('mp3', [...tone(2), '-c:a', 'mp3']),
    size: '1280x720',
    seconds: 2,
    check: (transcoded) => expect(transcoded).to.include({ hasVideo: false, hasAudio: true }),
  },
  {
    name: 'audio with cover art',
    copy: 'noVideo',
    clip: () =>
      makeClip('mp3', [
        ...tone(2),
        ...['-f', 'lavfi', '-i', 'color=c=red:s=300x300:d=0.04', '-map', '0', '-map', '1', '-frames:v', '1'],
        ...['-c:a', 'mp3', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
      ]),
    size: '1280x720',
    seconds: 2,
  },
  {
    name: 'audio that is longer than the video',
    copy: 'audioEnd',
    clip: () => makeClip('mkv', [...video('320x180'), ...tone(3), ...h264, '-c:a', 'flac']),
    size: '320x180',
    seconds: 3,
  },
  {
    name: 'a film after its cover in Matroska',
    copy: 'copied',
    clip: () => withCover('mkv', ...jpeg, ...film, '-disposition:v:0', 'default'),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'a film after its cover in H.264, in MP4',
    copy: 'copied',
    clip: () => withCover('mp4', '-c:v:0', 'libx264', '-pix_fmt:v:0', 'yuv420p', ...film, '-disposition:v:0', '0'),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'a film after its cover in AVI',
    copy: 'container',
    clip: () => withCover('avi', ...jpeg, '-c:v:1', 'mpeg4'),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'two films of which the larger one is the default',
    copy: 'copied',
    clip: () =>
      makeClip('mkv', [
        ...[...video('320x180'), ...video('640x360', '5'), '-map', '0', '-map', '1', ...h264],
        ...['-disposition:v:0', '0', '-disposition:v:1', 'default'],
      ]),
    size: '640x360',
    seconds: 1.2,
  },
];

/** The codecs and formats that a player receives. */
async function streamsOf(media: Buffer): Promise<string[]> {
  const entries = 'stream=codec_name,pix_fmt,width,height,sample_aspect_ratio,sample_rate,channels';
  return (await runTool('ffprobe', ['-show_entries', entries, '-of', 'csv=p=0', '-'], media)).trim().split('\n');
}

const everyRun = ['5.1 audio', 'a video with a rotation tag', '10-bit HEVC', 'audio with cover art'];

describe('formats that can be transcoded', function () {
  this.timeout(60_000);
  const direct = directTranscoding();
  const fixture = mediaFixture();

  for (const { name, clip, size, seconds, copy, check } of rowsOf(formats, everyRun)) {
    it(`include ${name}`, async () => {
      const transcoded = await direct.transcode(await clip(), 'highest');
      const { plan, media, durationSeconds, thumbnail } = transcoded;
      const top = plan.renditions.at(-1);
      expect(`${top?.width}x${top?.height}`).to.equal(size);
      expect(durationSeconds).to.be.closeTo(seconds, 0.11);
      check?.(transcoded);
      expect(transcoded.copy, 'quick generation').to.equal(copy);
      const expectedVideo = `h264,${top?.width},${top?.height},1:1,yuv420p`;
      expect(await streamsOf(media)).to.deep.equal([expectedVideo, 'aac,48000,2']);
      const packets = await packetsOf(media, 'a');
      expect(packets.length * (1024 / 48_000)).to.be.closeTo(durationSeconds, 0.03);
      expect(thumbnail.sizeBytes).to.be.greaterThan(200);
      expect((await direct.ctx.storage.stat(thumbnail.storageKey))?.bytes).to.equal(thumbnail.sizeBytes);
    });
  }

  it('include audio alone, which becomes READY with a thumbnail in all workers', async () => {
    const content = await fixture.make(await makeClip('mp3', [...tone(2), '-c:a', 'mp3']));
    expect(content).to.include({ hasVideo: false, hasAudio: true });
    const top = content.plan?.renditions.at(-1);
    const media = await joinRendition(fixture.ctx, generationFolder(content, 1), top?.name ?? '');
    expect(await streamsOf(media)).to.deep.equal(['h264,1280,720,1:1,yuv420p', 'aac,48000,2']);
    const thumbnail = await fixture.ctx.db
      .model(Thumbnail)
      .findByPk(content.thumbnailId ?? '', { rejectOnEmpty: true });
    expect((await fixture.ctx.storage.stat(thumbnail.storageKey))?.bytes).to.equal(thumbnail.bytes);
  });
});
