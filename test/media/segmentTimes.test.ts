import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readMp4Tracks, fragmentsIn } from '../../shared/media/mp4/index.js';
import type { Content } from '../../shared/content/content.model.js';
import { copyDirectly } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { makeClip, packetsOf } from '../support/media.js';
import { rowsOf } from '../support/requirements.js';

/** Reordered frames are decoded before they are shown. */
const reordered = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50'];
const packetSeconds = 1024 / 44_100;

/** The start of video and audio of each segment, and of its first frame's decoding, in seconds, from the boxes. */
function startsOf(init: Buffer, segments: readonly Buffer[]) {
  const tracks = readMp4Tracks(init);
  return segments.map((segment) => {
    const startOf = (kind: 'video' | 'audio', time: 'presentationTime' | 'decodeTime'): number => {
      const { id, timescale = 0 } = tracks.find((track) => track.kind === kind) ?? {};
      const times = fragmentsIn(segment).flatMap((part) => (part.track === id && part.samples > 0 ? [part[time]] : []));
      return Math.min(...times) / timescale;
    };
    return {
      video: startOf('video', 'presentationTime'),
      decoded: startOf('video', 'decodeTime'),
      audio: startOf('audio', 'presentationTime'),
    };
  });
}

/** `delaySeconds`: the audio of segments after the first one may start earlier by this time. */
function expectTogether(init: Buffer, segments: readonly Buffer[], segmentSeconds: number, delaySeconds = 0): void {
  for (const [segment, { video, decoded, audio }] of startsOf(init, segments).entries()) {
    expect(video, `first frame of segment ${segment}`).to.be.closeTo(segment * segmentSeconds, 1e-4);
    expect(decoded, `decoding of segment ${segment}`).to.be.closeTo(video, 1e-4);
    expect(audio - video, `audio of segment ${segment}`).to.be.within(-packetSeconds - delaySeconds, packetSeconds);
    expect(audio).to.be.at.least(0);
  }
}

describe('segment times', function () {
  this.timeout(60_000);
  const direct = directTranscoding({ ENCODER_PRESET: 'veryfast', CHUNK_SECONDS: '8' });

  const rates: readonly { name: string; source: readonly string[]; seconds: number; segmentSeconds: number }[] = [
    {
      name: '29.97 frames a second, with audio',
      source: ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=30000/1001:d=21', '-f', 'lavfi', '-i', 'sine=d=21'],
      ...{ seconds: 21, segmentSeconds: 4.004 },
    },
    {
      // Frames are decoded two seconds before they are shown and leave the encoder ten seconds late.
      name: 'one frame in two minutes',
      source: ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=1/120:d=240'],
      ...{ seconds: 240, segmentSeconds: 4 },
    },
  ];
  for (const { name, source, seconds, segmentSeconds } of rowsOf(rates, ['29.97 frames a second, with audio'])) {
    it(`start at 0, with aligned video and audio in each segment: ${name}`, async () => {
      const clip = await makeClip('mp4', [...source, ...reordered, '-c:a', 'aac']);
      const { plan, media, segments, durationSeconds } = await direct.transcode(clip);
      expect(durationSeconds).to.be.closeTo(seconds, 0.05);
      expect(segments).to.have.length(plan.segmentCount);
      expectTogether(media, segments, segmentSeconds);
      const [frames, packets] = await Promise.all([packetsOf(media, 'v'), packetsOf(media, 'a')]);
      expect(Math.min(...frames.map(({ pts }) => pts)), 'first frame, as ffprobe reads it').to.equal(0);
      expect(packets[0]?.pts, 'first audio packet, as ffprobe reads it').to.equal(0);
    });
  }

  const audio = ['-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=13'];
  const copied: readonly { name: string; extension: string; options: readonly string[] }[] = [
    { name: 'MP4', extension: 'mp4', options: [...audio, ...reordered, '-c:a', 'aac'] },
    { name: 'Matroska', extension: 'mkv', options: [...audio, ...reordered, '-c:a', 'aac'] },
    { name: 'FLV', extension: 'flv', options: [...audio, ...reordered, '-c:a', 'aac'] },
    { name: 'audio that is encoded', extension: 'mkv', options: [...audio, ...reordered, '-c:a', 'libopus'] },
    { name: 'no audio', extension: 'mp4', options: reordered },
  ];
  for (const { name, extension, options } of rowsOf(copied, ['Matroska', 'audio that is encoded'])) {
    it(`start at 0 in a copy: ${name}`, async () => {
      const clip = await makeClip(extension, ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=13', ...options]);
      const body = await readFile(clip);
      const sourceKey = `sources/${randomUUID()}/original`;
      await direct.ctx.storage.put(sourceKey, body, { contentType: 'application/octet-stream' });
      const source = { sourceKey, sourceBytes: body.length } as Content;
      const { outcome, media, segments } = await copyDirectly(direct.ctx, '/tmp', source);
      expect(outcome).to.equal('copied');
      let at = media.length - segments.reduce((sum, bytes) => sum + bytes, 0);
      expectTogether(
        media.subarray(0, at),
        segments.map((bytes) => media.subarray(at, (at += bytes))),
        4,
        0.08,
      );
    });
  }
});
