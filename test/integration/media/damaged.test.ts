import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Content } from '../../../shared/content/content.model.js';
import { generationFolder } from '../../../shared/content/layout.js';
import { joinRendition, makeClip, makeVideo, packetsOf, audioStarts } from '../../support/media.js';
import { mediaStage } from '../../support/mediaStage.js';

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const partSeconds = 6;

describe('films that are damaged, or change on their way', function () {
  this.timeout(60_000);
  const stage = mediaStage();

  async function make(film: Buffer): Promise<{ content: Content; media: Buffer }> {
    const content = await stage.make(film);
    return {
      content,
      media: await joinRendition(stage.ctx, generationFolder(content.id, 1), content.plan?.renditions[0]?.name ?? ''),
    };
  }

  /** Part of a broadcast, which begins `at` seconds: a tone in its last second, in so many channels. */
  async function part(at: number, size: string, channels: 'stereo' | '5.1'): Promise<Buffer> {
    const tone = `aevalsrc='sin(2764*t)*gte(t,${partSeconds - 1})':d=${partSeconds}:s=48000`;
    const all = channels === '5.1' ? ',pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0' : ',pan=stereo|c0=c0|c1=c0';
    const path = await makeClip('ts', [
      ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=${partSeconds}`, '-f', 'lavfi', '-i', tone + all],
      ...[...x264, '-c:a', 'ac3', '-output_ts_offset', String(at)],
    ]);
    return readFile(path);
  }

  it('show the last picture there was, where the rest of the file is zeros', async () => {
    const coding = [...x264, '-g', '20', '-c:a', 'aac', '-movflags', '+faststart'];
    const film = await readFile(await makeVideo({ seconds: 26, size: '160x90', rate: '10', coding }));
    const { content, media } = await make(film.fill(0, Math.floor(film.length * 0.25)));
    expect(content.plan?.chunkCount).to.be.greaterThan(2);
    expect(await packetsOf(media, 'v')).to.have.length(260);
    expect((await audioStarts(media))[0], 'what is left of the sound').to.be.lessThan(1);
  });

  it('keep pictures and sound together, where the channels change', async () => {
    const film = Buffer.concat([await part(0, '160x90', 'stereo'), await part(partSeconds, '160x90', '5.1')]);
    const { content, media } = await make(film);
    expect(Number(content.durationMs) / 1000).to.be.closeTo(2 * partSeconds, 0.1);
    const sounds = await audioStarts(media);
    expect(sounds).to.have.length(2);
    expect(sounds[0]).to.be.closeTo(partSeconds - 1, 0.03);
    expect(sounds[1]).to.be.closeTo(2 * partSeconds - 1, 0.03);
  });

  it('play on, where the size of the pictures changes', async () => {
    const film = Buffer.concat([await part(0, '160x90', 'stereo'), await part(partSeconds, '320x180', 'stereo')]);
    const { media } = await make(film);
    expect(await packetsOf(media, 'v')).to.have.length(2 * partSeconds * 25);
  });
});
