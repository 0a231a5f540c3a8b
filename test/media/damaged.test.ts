import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { audioStarts, makeClip, makeVideo, packetsOf } from '../support/media.js';
import { editBoxes } from '../support/isoBoxes.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { rowsOf } from '../support/requirements.js';

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const partSeconds = 6;

describe('videos that are damaged or whose streams change', function () {
  this.timeout(60_000);
  const direct = directTranscoding();

  /** A part of a broadcast whose timestamps start at `at` seconds, with a tone in its last second. */
  async function part(at: number, size: string, channels: 'stereo' | '5.1'): Promise<Buffer> {
    const tone = `aevalsrc='sin(2764*t)*gte(t,${partSeconds - 1})':d=${partSeconds}:s=48000`;
    const all = channels === '5.1' ? ',pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0' : ',pan=stereo|c0=c0|c1=c0';
    const path = await makeClip('ts', [
      ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=${partSeconds}`, '-f', 'lavfi', '-i', tone + all],
      ...[...x264, '-c:a', 'ac3', '-output_ts_offset', String(at)],
    ]);
    return readFile(path);
  }

  it('repeat the last frame if the remainder of the file is zeros', async () => {
    const coding = [...x264, '-g', '20', '-c:a', 'aac', '-movflags', '+faststart'];
    const video = await readFile(await makeVideo({ seconds: 26, size: '160x90', rate: '10', coding }));
    const { plan, media, copy } = await direct.transcode(video.fill(0, Math.floor(video.length * 0.25)));
    expect(copy, 'quick generation').to.equal('copy');
    expect(plan.chunkCount).to.be.greaterThan(2);
    expect(await packetsOf(media, 'v')).to.have.length(260);
    expect((await audioStarts(media))[0], 'start of the remaining audio').to.be.lessThan(1);
  });

  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

  /** The same video with another table of one of its tracks. */
  function withTable(video: Buffer, track: 'video' | 'audio', box: string, edit: (table: Buffer) => void): Buffer {
    let number = 0;
    return editBoxes(video, [...table, box], (payload) => {
      const isIt = (number++ === 0) === (track === 'video');
      const copy = Buffer.from(payload);
      if (isIt) edit(copy);
      return copy;
    });
  }
  /** The last quarter of the entries, which start at `at`. */
  const overwrite = (entries: Buffer, at: number, value: number): void => {
    const count = (entries.length - at) / 4;
    for (let entry = Math.floor(count * 0.76); entry < count; entry += 1) entries.writeUInt32BE(value, at + 4 * entry);
  };
  const share = (payload: Buffer): number => payload.writeUInt32BE(Math.floor(payload.readUInt32BE(8) * 0.76), 8);
  const damages: readonly { name: string; missing: number; damage: (video: Buffer) => Buffer; extension?: string }[] = [
    { name: 'nothing', missing: 0, damage: (video) => video },
    {
      name: 'fewer sizes of audio packets',
      missing: 2.4,
      damage: (video) => withTable(video, 'audio', 'stsz', share),
    },
    {
      name: 'sizes of audio packets beyond the file',
      missing: 2.4,
      damage: (video) => withTable(video, 'audio', 'stsz', (payload) => overwrite(payload, 12, 0x7fffffff)),
    },
    {
      name: 'positions of audio beyond the file',
      missing: 2.4,
      damage: (video) => withTable(video, 'audio', 'stco', (payload) => overwrite(payload, 8, 0x7fffffff)),
    },
    {
      name: 'fewer sizes of frames',
      missing: 2.4,
      damage: (video) => withTable(video, 'video', 'stsz', share),
    },
    { name: 'the end of a Matroska file', missing: 4, extension: 'mkv', damage: cutOff },
    { name: 'the end of an FLV file', missing: 4, extension: 'flv', damage: cutOff },
    { name: 'nothing in Matroska', missing: 0, extension: 'mkv', damage: (video) => video },
    { name: 'nothing in FLV', missing: 0, extension: 'flv', damage: (video) => video },
  ];
  const everyRun = ['nothing', 'sizes of audio packets beyond the file'];
  function cutOff(video: Buffer): Buffer {
    return video.subarray(0, Math.floor(video.length * 0.6));
  }

  for (const { name, missing, damage, extension = 'mp4' } of rowsOf(damages, everyRun)) {
    it(`report the missing seconds at their end: ${name}`, async () => {
      const coding = [...x264, '-g', '50', '-c:a', 'aac'];
      const video = await readFile(await makeVideo({ seconds: 10, size: '160x90', extension, coding }));
      const { missingEndSeconds } = await direct.prepare(damage(video));
      expect(missingEndSeconds).to.be.closeTo(missing, missing === 0 ? 0 : 0.7);
    });
  }

  it('keep audio and video in sync when the channel layout changes', async () => {
    const video = Buffer.concat([await part(0, '160x90', 'stereo'), await part(partSeconds, '160x90', '5.1')]);
    const { durationSeconds, media } = await direct.transcode(video);
    expect(durationSeconds).to.be.closeTo(2 * partSeconds, 0.1);
    const starts = await audioStarts(media);
    expect(starts).to.have.length(2);
    expect(starts[0]).to.be.closeTo(partSeconds - 1, 0.03);
    expect(starts[1]).to.be.closeTo(2 * partSeconds - 1, 0.03);
  });

  it('keep every frame when the frame size changes', async () => {
    const video = Buffer.concat([await part(0, '160x90', 'stereo'), await part(partSeconds, '320x180', 'stereo')]);
    const { media } = await direct.transcode(video);
    expect(await packetsOf(media, 'v')).to.have.length(2 * partSeconds * 25);
  });
});
