import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Caption } from '../../shared/caption/caption.model.js';
import { deleteCaption } from '../../shared/caption/caption.service.js';
import type { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { readSourceCaptionsHandler } from '../../workers/transcoding/readSourceCaptions.js';
import { captionedClip, command, pause, popOn, type CaptionedClip } from '../support/closedCaptions.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { makeClip, readStored } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';
import { jobRunOf } from '../support/workers.js';

const english = '1\n00:00:00,500 --> 00:00:01,500\nHello <i>there</i>\n\n2\n00:00:02,000 --> 00:00:03,000\nA & B\n';
const german =
  '1\n00:00:01,000 --> 00:00:01,800\nHallo\n\n2\n00:00:01,800 --> 00:00:01,800\nNichts\n\n3\n00:00:02,000 --> 00:00:03,000\nEnde\n';
const video = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=4', '-f', 'lavfi', '-i', 'sine=d=4'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac'];

describe('Subtitles in the source of a content', () => {
  const media = mediaFixture({ QUICK_GENERATION: 'true' });
  const files = useFixture(
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'subtitles-'));
      const paths = { folder, english: join(folder, 'en.srt'), german: join(folder, 'de.srt') };
      await writeFile(paths.english, english);
      await writeFile(paths.german, german);
      return paths;
    },
    ({ folder }) => rm(folder, { recursive: true }),
  );

  const captionsOf = (contentId: string) =>
    media.ctx.db.model(Caption).findAll({ where: { contentId }, order: ['stream'] });
  const shown = async (contentId: string) =>
    (await captionsOf(contentId)).map(
      ({ language, label, kind, origin, forced, shownByDefault, leftOutCues, cues }) => ({
        ...{ language, label, kind, origin, forced, shownByDefault, leftOutCues },
        cues: cues.map(({ startMs, endMs, text }) => [startMs, endMs, text]),
      }),
    );
  const expected = (label: string, kind = 'subtitles', shownByDefault = false) => [
    {
      ...{ language: 'en', label, kind, origin: 'SOURCE', forced: false, leftOutCues: 0 },
      shownByDefault,
      cues: [
        [500, 1500, 'Hello <i>there</i>'],
        [2000, 3000, 'A &amp; B'],
      ],
    },
    {
      ...{ language: 'de', label: 'Deutsch (forced)', kind: 'subtitles', origin: 'SOURCE', forced: true },
      ...{ shownByDefault: false, leftOutCues: 1 },
      cues: [
        [1000, 1800, 'Hallo'],
        [2000, 3000, 'Ende'],
      ],
    },
  ];

  const late = ['-output_ts_offset', '5'];
  const containers: readonly { name: string; extension: string; options: readonly string[] }[] = [
    { name: 'mov_text in MP4', extension: 'mp4', options: ['-c:s', 'mov_text'] },
    { name: 'SubRip in Matroska', extension: 'mkv', options: ['-c:s', 'srt'] },
    { name: 'ASS in Matroska, video encoded', extension: 'mkv', options: ['-c:s', 'ass', '-c:v', 'mpeg4'] },
    { name: 'WebVTT in Matroska, beginning at 5 s', extension: 'mkv', options: ['-c:s', 'webvtt', ...late] },
  ];
  const everyRun = ['mov_text in MP4', 'WebVTT in Matroska, beginning at 5 s'];
  for (const { name, extension, options } of rowsOf(containers, everyRun)) {
    it(`become captions: ${name}`, async () => {
      const hasTitles = extension === 'mkv';
      const path = await makeClip(extension, [
        ...[...video, '-i', files.english, '-i', files.german, '-map', '0', '-map', '1', '-map', '2', '-map', '3'],
        ...[...h264, ...options, '-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=ger'],
        ...['-metadata:s:s:0', 'title=For all', '-disposition:s:0', 'hearing_impaired+default'],
        ...['-disposition:s:1', 'forced'],
      ]);
      const { id } = await media.make(path);
      await eventually(async () => expect(await captionsOf(id)).to.have.lengthOf(2), { timeoutMs: 60_000 });
      const [first, second] = await shown(id);
      expect([first, second]).to.deep.equal(
        hasTitles ? expected('For all', 'captions', true) : expected(first?.label ?? '', first?.kind),
      );
      if (!hasTitles) expect(first?.label).to.be.oneOf(['English', 'For all']);
      const leftOutSubtitles = [{ label: 'Deutsch', reason: 'unreadable', cues: 1 }];
      await eventually(async () => expect(await findContent(media.ctx, id)).to.deep.include({ leftOutSubtitles }));
    });
  }

  const closed: readonly (Pick<CaptionedClip, 'extension' | 'codec' | 'video'> & { readonly name: string })[] = [
    { name: 'H.264 in MP4, copied', extension: 'mp4' },
    { name: 'H.264 with reordered frames', extension: 'ts', video: ['-c:v', 'libx264', '-bf', '3'] },
    { name: 'HEVC in Matroska', extension: 'mkv', codec: 'hevc' },
    { name: 'MPEG-2', extension: 'mpg', video: ['-c:v', 'mpeg2video', '-b:v', '2M', '-c:a', 'mp2'] },
  ];
  for (const { name, ...clip } of rowsOf(closed, ['H.264 in MP4, copied']))
    it(`become captions and appear in no rendition: closed captions of ${name}`, async () => {
      const field1 = [...pause(20), ...popOn('HELLO <CC>'), ...pause(30), ...command(0x14, 0x2c)];
      const field2 = [...pause(40), ...popOn('HOLA', 0x15)];
      const { id } = await media.make(await captionedClip({ ...clip, field1, field2 }));
      await eventually(async () => expect(await captionsOf(id)).to.have.lengthOf(2), { timeoutMs: 60_000 });
      const found = (await shown(id)).toReversed();
      const described = { language: 'und', kind: 'captions', origin: 'SOURCE', forced: false, leftOutCues: 0 };
      for (const [index, [label, startMs, endMs, text]] of (
        [
          ['CC1', 1240, 2520, 'HELLO &lt;CC&gt;'],
          ['CC3', 1920, 3960, 'HOLA'],
        ] as const
      ).entries()) {
        expect(found[index]).to.deep.include({ ...described, label, shownByDefault: false });
        const [[start, end, shownText] = [], ...others] = found[index]?.cues ?? [];
        expect({ shownText, others }).to.deep.equal({ shownText: text, others: [] });
        expect(start, label).to.be.closeTo(startMs, 41);
        expect(end, label).to.be.closeTo(endMs, 41);
      }
      const full = await eventually(
        async () => {
          const content = await findContent(media.ctx, id);
          expect(content?.readyGrid).to.not.equal(null);
          return content as Content;
        },
        { timeoutMs: 30_000 },
      );
      let segments = 0;
      for await (const { key } of media.ctx.storage.list(`content/${full.folder}`)) {
        const file = await readStored(media.ctx, key);
        if (key.endsWith('.m4s')) {
          segments += 1;
          expect(file.includes('GA94'), key).to.equal(false);
        }
        if (/master[^/]*\.m3u8$/.test(key))
          for (const line of file.toString().split('\n'))
            if (line.startsWith('#EXT-X-STREAM-INF')) expect(line).to.include('CLOSED-CAPTIONS=NONE');
      }
      expect(segments).to.be.greaterThan(2);
    });

  it('are added once, and not again by another generation after they were deleted', async () => {
    const path = await makeClip('mkv', [
      ...[...video, '-i', files.german, '-map', '0', '-map', '1', '-map', '2', ...h264, '-c:s', 'srt'],
    ]);
    const { id } = await media.make(path);
    const [caption] = await eventually(
      async () => {
        const rows = await captionsOf(id);
        expect(rows).to.have.lengthOf(1);
        return rows;
      },
      { timeoutMs: 60_000 },
    );
    expect(caption).to.include({ language: 'und', label: 'Unknown' });
    const run = jobRunOf(media.ctx, { contentId: id });
    expect(await readSourceCaptionsHandler(run)).to.deep.equal({ streams: 1, added: 0, leftOut: 1 });
    await deleteCaption(media.ctx, id, caption?.id ?? '');
    const complete = async () => expect((await findContent(media.ctx, id))?.readyGrid).to.not.equal(null);
    await eventually(complete, { timeoutMs: 30_000 });
    expect(await captionsOf(id)).to.deep.equal([]);
  });
});
