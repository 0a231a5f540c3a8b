import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { isPlainAac } from '../../shared/media/aac/index.js';
import { aacConfigurationOf } from '../../shared/media/mp4/index.js';
import { copyDirectly, expectSameFrames, type CopyOutcome, type DirectCopy } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { numbers, editBoxes, sampleTable, withoutBoxes } from '../support/isoBoxes.js';
import { makeClip, makeVideo, runTool } from '../support/media.js';
import { rejection } from '../support/eventually.js';

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const reordered = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const reorderedVideo = (): Promise<string> => makeVideo({ seconds: 2, size: '160x90', coding: reordered });

/** Sources that appear to be completely copyable. */
describe('sources that players would play differently', function () {
  this.timeout(60_000);
  const direct = directTranscoding();

  async function copyOf(file: Buffer): Promise<DirectCopy & { readonly path: string }> {
    const { ctx } = direct;
    const sourceKey = `sources/${randomUUID()}/original`;
    const { bytes } = await ctx.storage.put(sourceKey, file, { contentType: 'application/octet-stream' });
    const folder = await mkdtemp(join(ctx.config.dataDir, 'copy-'));
    const copy = await copyDirectly(ctx, folder, { sourceKey, sourceBytes: bytes });
    const { video } = copy.copyable?.streams ?? {};
    const path = ctx.storage.localPath(sourceKey) as string;
    if (copy.outcome === 'copied') await expectSameFrames(path, copy.media, video?.index ?? 0);
    return { ...copy, path };
  }

  it('are rejected if reordered frames have only decoding times', async () => {
    const video = await readFile(await reorderedVideo());
    expect((await copyOf(video)).outcome).to.equal('copied');
    expect((await copyOf(withoutPresentationTimes(video))).outcome).to.equal('timestamps');
  });

  it('are copied with zeros after their parameter sets, as GStreamer writes transport streams', async () => {
    const coding = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=2', ...h264, '-bsf:v', 'dump_extra'];
    const video = (await readFile(await makeClip('h264', coding))).toString('latin1');
    const picture = '\0\0\0\x01\x68';
    expect(video).to.include(picture);
    const folder = await mkdtemp(join(direct.ctx.config.dataDir, 'padded-'));
    const [padded, stream] = [join(folder, 'padded.h264'), join(folder, 'stream.ts')];
    await writeFile(padded, Buffer.from(video.replaceAll(picture, `\0${picture}`), 'latin1'));
    const timed = ['-c', 'copy', '-bsf:v', 'setts=ts=N*3600'];
    await runTool('ffmpeg', ['-framerate', '25', '-i', padded, ...timed, stream]);
    expect((await copyOf(await readFile(stream))).outcome).to.equal('copied');
  });

  it('are detected by these tests if frame times differ from the container', async () => {
    const path = await reorderedVideo();
    const file = await readFile(path);
    await expectSameFrames(path, file, 0);
    const wrong = withoutPresentationTimes(file);
    const stored = `sources/${randomUUID()}/original`;
    await direct.ctx.storage.put(stored, wrong, { contentType: 'video/mp4' });
    const error = await rejection(expectSameFrames(direct.ctx.storage.localPath(stored) as string, wrong, 0));
    expect(error).to.have.property('message').that.includes('different container times');
  });

  /** The sizes of the audio packets. */
  async function audioBytes(path: string): Promise<string> {
    const options = ['-select_streams', 'a', '-show_entries', 'packet=size', '-of', 'default=nk=1:nw=1'];
    const printed = await runTool('ffprobe', [...options, path]);
    expect(printed).to.match(/^(\d+\s){90,}$/);
    return printed;
  }

  /** A source whose audio is AAC-LC with two channels at 48 kHz. */
  const plain = ['-af', 'aformat=channel_layouts=stereo', '-c:a', 'aac', '-ar', '48000'];
  const audios: readonly { name: string; file: () => Promise<Buffer>; outcome: CopyOutcome; audio?: string }[] = [
    {
      name: 'is plain AAC: copied',
      file: async () => readFile(await makeVideo({ seconds: 2, size: '160x90', coding: [...h264, ...plain] })),
      ...{ outcome: 'copied', audio: 'copied' },
    },
    {
      name: 'describes its channels itself: encoded',
      file: async () => {
        const coding = [...h264, ...plain, '-aac_pce', '1'];
        const file = await readFile(await makeVideo({ seconds: 2, size: '160x90', coding }));
        expect(isPlainAac(aacConfigurationOf(file))).to.equal(false);
        return file;
      },
      ...{ outcome: 'copied', audio: 'encoded' },
    },
    {
      name: 'has two decoder configurations: encoded',
      file: async () => {
        const video = await readFile(await makeVideo({ seconds: 2, size: '160x90', coding: [...h264, ...plain] }));
        return withAudioDescriptions(video, (entry) => Buffer.concat([numbers(0, 2), entry, entry]));
      },
      ...{ outcome: 'copied', audio: 'encoded' },
    },
    {
      name: 'is the first stream, and ends after the video: nothing of it is lost',
      file: async () =>
        readFile(
          await makeClip('mkv', [
            ...['-f', 'lavfi', '-i', 'sine=f=440:d=4', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=2'],
            ...['-map', '0:a', '-map', '1:v', ...h264, '-c:a', 'libopus'],
          ]),
        ),
      outcome: 'audioEnd',
    },
  ];

  for (const { name, file, outcome, audio } of audios) {
    it(`with audio that ${name}`, async () => {
      const copy = await copyOf(await file());
      expect(copy.outcome).to.equal(outcome);
      if (outcome !== 'copied') return;
      expect(isPlainAac(aacConfigurationOf(copy.media)), 'plain AAC').to.equal(true);
      const copied = join(dirname(copy.path), 'copied.mp4');
      await writeFile(copied, copy.media);
      const [before, after] = await Promise.all([audioBytes(copy.path), audioBytes(copied)]);
      // The packet with the encoder delay would play before the first frame.
      const played = before.slice(before.indexOf('\n') + 1);
      expect(played === after ? 'copied' : 'encoded').to.equal(audio);
    });
  }
});

/** The same video with other sample descriptions of its audio. `edit` gets the entries of `stsd` and returns the payload. */
function withAudioDescriptions(video: Buffer, edit: (entries: Buffer) => Buffer): Buffer {
  return editBoxes(video, [...sampleTable, 'stsd'], (payload) =>
    payload.toString('latin1', 12, 16) === 'mp4a' ? edit(payload.subarray(8)) : payload,
  );
}

/** The same video without the difference between decoding and presentation times, as some tools write it. */
function withoutPresentationTimes(video: Buffer): Buffer {
  return ['ctts', 'edts'].reduce(withoutBoxes, video);
}
