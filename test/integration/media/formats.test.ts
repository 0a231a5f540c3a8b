import { expect } from 'chai';
import type { Content } from '../../../shared/content/content.model.js';
import { generationFolder } from '../../../shared/content/layout.js';
import { Thumbnail } from '../../../shared/content/thumbnail.model.js';
import { joinRendition, makeClip, makeVideo, packetsOf, runTool, turned } from '../../support/media.js';
import { mediaStage } from '../../support/mediaStage.js';

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const pictures = (size: string, rate = '25', seconds = 1.2): string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
];
const tone = (seconds = 1.2): string[] => ['-f', 'lavfi', '-i', `sine=f=300:r=44100:d=${seconds}`];

interface Taken {
  readonly name: string;
  readonly clip: () => Promise<string>;
  /** Size of the top rung. */
  readonly size: string;
  readonly seconds: number;
  readonly check?: (content: Content) => void;
}

const taken: readonly Taken[] = [
  { name: 'no sound', clip: () => makeClip('mp4', [...pictures('320x180'), ...h264]), size: '320x180', seconds: 1.2 },
  {
    name: '5.1 sound',
    clip: () =>
      makeClip('mp4', [
        ...pictures('320x180'),
        '-f',
        'lavfi',
        '-i',
        'anoisesrc=d=1.2:a=0.1,aformat=channel_layouts=mono,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0',
        ...h264,
        '-c:a',
        'ac3',
      ]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'a film turned by its telephone',
    clip: async () => turned(await makeVideo({ seconds: 1, size: '320x180' })),
    size: '180x320',
    seconds: 1,
  },
  { name: 'an upright film', clip: () => makeVideo({ seconds: 1, size: '270x480' }), size: '240x426', seconds: 1 },
  {
    name: 'odd sizes',
    clip: () => makeClip('mkv', [...pictures('321x181'), '-c:v', 'ffv1', '-pix_fmt', 'yuv444p']),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'HEVC of ten bits',
    clip: () =>
      makeClip('mp4', [
        ...pictures('320x180'),
        ...tone(),
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        'log-level=none',
        '-pix_fmt',
        'yuv420p10le',
        '-tag:v',
        'hvc1',
        '-c:a',
        'aac',
      ]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'AV1',
    clip: () =>
      makeClip('mp4', [
        ...pictures('320x180', '25', 0.8),
        '-c:v',
        'libaom-av1',
        '-cpu-used',
        '8',
        '-usage',
        'realtime',
        '-pix_fmt',
        'yuv420p',
      ]),
    size: '320x180',
    seconds: 0.8,
  },
  {
    name: 'a high dynamic range',
    clip: () =>
      makeClip('mp4', [
        ...pictures('320x180'),
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p10le',
        '-x265-params',
        'log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc',
        '-tag:v',
        'hvc1',
      ]),
    size: '320x180',
    seconds: 1.2,
    check: (content) => expect(content.plan?.source.highDynamicRange).to.equal('hlg'),
  },
  {
    name: 'pixels that are not square',
    clip: () => makeClip('mp4', [...pictures('240x180'), '-vf', 'setsar=4/3', ...h264]),
    size: '320x180',
    seconds: 1.2,
  },
  {
    name: 'one single frame',
    clip: () => makeClip('mp4', [...pictures('320x180'), '-frames:v', '1', ...h264]),
    size: '320x180',
    seconds: 0.04,
  },
  {
    name: 'sound alone',
    clip: () => makeClip('mp3', [...tone(2), '-c:a', 'mp3']),
    size: '1280x720',
    seconds: 2,
    check: (content) => expect(content).to.include({ hasVideo: false, hasAudio: true }),
  },
  {
    name: 'sound with a cover',
    clip: () =>
      makeClip('mp3', [
        ...tone(2),
        '-f',
        'lavfi',
        '-i',
        'color=c=red:s=300x300:d=0.04',
        '-map',
        '0',
        '-map',
        '1',
        '-frames:v',
        '1',
        '-c:a',
        'mp3',
        '-c:v',
        'mjpeg',
        '-disposition:v',
        'attached_pic',
      ]),
    size: '1280x720',
    seconds: 2,
  },
  {
    name: 'sound that goes on after the pictures',
    clip: () => makeClip('mkv', [...pictures('320x180'), ...tone(3), ...h264, '-c:a', 'flac']),
    size: '320x180',
    seconds: 3,
  },
];

describe('what ffmpeg can read', function () {
  this.timeout(60_000);
  const stage = mediaStage();

  for (const { name, clip, size, seconds, check } of taken) {
    it(`takes ${name}`, async () => {
      const content = await stage.make(await clip());
      const top = content.plan?.renditions.at(-1);
      expect(`${top?.width}x${top?.height}`).to.equal(size);
      expect(Number(content.durationMs) / 1000).to.be.closeTo(seconds, 0.11);
      check?.(content);
      const media = await joinRendition(stage.ctx, generationFolder(content.id, 1), top?.name ?? '');
      const streams = await runTool(
        'ffprobe',
        [
          '-show_entries',
          'stream=codec_name,pix_fmt,width,height,sample_aspect_ratio,sample_rate,channels',
          '-of',
          'csv=p=0',
          '-',
        ],
        media,
      );
      expect(streams.trim().split('\n')).to.deep.equal([
        `h264,${top?.width},${top?.height},1:1,yuv420p`,
        'aac,48000,2',
      ]);
      const packets = await packetsOf(media, 'a');
      expect(packets.length * (1024 / 48_000)).to.be.closeTo(Number(content.durationMs) / 1000, 0.03);
      const picture = await stage.ctx.db.model(Thumbnail).findByPk(content.thumbnailId ?? '', { rejectOnEmpty: true });
      expect(picture.bytes).to.be.greaterThan(200);
      expect((await stage.ctx.storage.stat(picture.storageKey))?.bytes).to.equal(picture.bytes);
    });
  }
});
