import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { directTranscoding } from '../support/directTranscoding.js';
import { makeClip, packetsOf, noisyTone } from '../support/media.js';

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const seconds = 600;
/** Audio of this length is encoded. */
const audioSeconds = 240;
/** The maximum: a content of this length may have 960 frames if its source has 240. */
const fewFramesPerSecond = 4;

/** Small files of long videos. The work must depend on their content, not on their declared duration. */
describe('videos with few frames', function () {
  this.timeout(60_000);
  const direct = directTranscoding();

  const standing = (rate: string, size = '1920x1080', length = seconds): Promise<string> =>
    makeClip('mp4', [
      ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${length}`],
      ...[...x264, '-tune', 'stillimage'],
    ]);

  it('are planned with few frames and chunks for one frame in five minutes', async () => {
    const path = await standing('1/300');
    expect((await readFile(path)).length).to.be.below(500_000);
    const { plan, mediaSeconds, copy } = await direct.prepare(path);
    expect(copy, 'quick generation').to.equal('keyframeInterval');
    // A still image needs few bits in any size.
    expect(plan.renditions.map(({ name }) => name)).to.deep.equal(['240p', '1080p']);
    expect(plan).to.deep.include({ frameRate: [1, 1], frameCount: seconds, framesPerSegment: 4 });
    expect(plan.chunkCount).to.be.at.most(4);
    expect(mediaSeconds).to.equal(300);
  });

  it('play as segments that start with a keyframe, with their frames on time', async () => {
    const clip = await makeClip('mp4', [
      ...['-f', 'lavfi', '-i', `nullsrc=s=64x64:r=1/20:d=100,geq=lum='16+N*40':cb=128:cr=128`],
      ...['-f', 'lavfi', '-i', noisyTone(120), ...x264, '-c:a', 'aac'],
    ]);
    const { plan, media, durationSeconds } = await direct.transcode(clip);
    expect(plan.frameRate[0]).to.be.at.most(5);
    expect(durationSeconds).to.be.closeTo(120, 0.5);
    expect(await packetsOf(media, 'v')).to.have.length(plan.frameCount);
  });

  for (const [name, source] of [
    ['one frame', 'testsrc2=s=640x360:r=25:d=0.04'],
    ['a fast beginning', 'testsrc2=s=64x64:r=60:d=0.25'],
  ] as const)
    it(`are planned at a low rate if long audio follows ${name}`, async () => {
      const silence = ['-f', 'lavfi', '-i', `anullsrc=r=8000:d=${audioSeconds}`];
      const clip = await makeClip('mkv', ['-f', 'lavfi', '-i', source, ...silence, ...x264, '-c:a', 'flac']);
      const { plan } = await direct.prepare(clip);
      expect(plan.durationMs / 1000).to.be.closeTo(audioSeconds, 1);
      expect(plan.frameCount).to.be.at.most(fewFramesPerSecond * audioSeconds);
    });
});
