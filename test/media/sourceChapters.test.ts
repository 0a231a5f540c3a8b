import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { replaceChapters } from '../../shared/content/chapters.service.js';
import { reprocessContent } from '../../shared/content/reprocessing.lifecycle.js';
import { failureMessage } from '../../shared/views/box.views.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { makeClip } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { changeRow } from '../support/rows.js';
import { startWorkers } from '../support/workers.js';
import { rowsOf } from '../support/requirements.js';

const video = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=4'];
const audio = ['-f', 'lavfi', '-i', 'anoisesrc=d=4:a=0.1'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac'];
const chapterAt = (seconds: number, title: string): string =>
  `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${Math.round(seconds * 1000)}\nEND=9000\n${title === '' ? '' : `title=${title}\n`}`;
const long = `${'x'.repeat(199)}💛💛`;

describe('Chapters of a source', () => {
  const media = mediaFixture({ QUICK_GENERATION: 'true' });
  // Content with audio only is encoded quickly.
  useFixture(
    () => startWorkers(media.ctx, { queues: ['quick-transcoding'] }),
    (workers) => workers.close(),
  );
  const folder = useFixture(
    () => mkdtemp(join(tmpdir(), 'chapters-')).then((path) => ({ path })),
    ({ path }) => rm(path, { recursive: true }),
  );

  let files = 0;
  const rounded = (chapters: Content['chapters']) =>
    chapters?.map(({ startSeconds, title }) => ({ startSeconds: Math.round(startSeconds * 10) / 10, title }));

  async function clip(extension: string, options: readonly string[], chapters: readonly (readonly [number, string])[]) {
    // `makeClip` caches a clip by its options.
    const path = join(folder.path, `${(files += 1)}.txt`);
    await writeFile(path, `;FFMETADATA1\n${chapters.map(([seconds, title]) => chapterAt(seconds, title)).join('')}`);
    const inputs = options.includes('-vn') ? audio : [...video, ...audio];
    const count = inputs.length / 4;
    const made = await makeClip(extension, [
      ...[...inputs, '-i', path, '-map_metadata', String(count), '-map_chapters', String(count), ...options],
    ]);
    return readFile(made);
  }
  const complete = (id: string): Promise<Content> =>
    eventually(
      async () => {
        const content = await findContent(media.ctx, id);
        expect(content?.readyGrid, content?.failureDetail ?? '').to.not.equal(null);
        expect(content?.readyGeneration).to.equal(content?.generation);
        return content as Content;
      },
      { timeoutMs: 60_000 },
    );

  const parts = [
    [0, 'Opening | "a" = b'],
    [1.5, 'Middle 👨‍👩‍👧'],
    [3, 'End'],
  ] as const;
  const expected = parts.map(([startSeconds, title]) => ({ startSeconds, title }));
  const withoutTrack = (file: Buffer): Buffer =>
    Buffer.from(file.toString('latin1').replaceAll('chap', 'chbp'), 'latin1');

  const containers: readonly { name: string; extension: string; options: readonly string[] }[] = [
    { name: 'Matroska, copied', extension: 'mkv', options: h264 },
    { name: 'Matroska, encoded', extension: 'mkv', options: ['-c:v', 'mpeg4', '-c:a', 'aac'] },
    { name: 'QuickTime track', extension: 'mov', options: [...h264, '-movflags', '+disable_chpl'] },
    { name: 'Nero list in MP4', extension: 'mp4', options: h264 },
    { name: 'audio alone', extension: 'm4a', options: ['-vn', '-c:a', 'aac'] },
  ];
  for (const { name, extension, options } of rowsOf(containers, ['Matroska, copied', 'QuickTime track'])) {
    it(`are those of the content: ${name}`, async () => {
      const file = await clip(extension, options, parts);
      const { id, chapters } = await media.make(extension === 'mp4' ? withoutTrack(file) : file);
      expect(rounded(chapters)).to.deep.equal(expected);
      if (extension !== 'm4a') expect(rounded((await complete(id)).chapters)).to.deep.equal(expected);
    });
  }

  it('have bounded titles, a bounded number, and times within the content', async () => {
    const many = Array.from({ length: 510 }, (_, index) => [1 + index / 200, index === 1 ? '' : `${index}`] as const);
    const file = await clip('mkv', h264, [...many, [3.9, long], [5, 'behind the end']]);
    const content = await media.make(file);
    expect(content.chapters).to.have.lengthOf(500);
    expect(content.chapters?.slice(0, 3).map(({ title }) => title)).to.deep.equal(['0', '2', '2']);
    const notices = { ...content, status: 'READY', hasFailed: false } as const;
    const { message } = failureMessage(notices, (key, values) => media.ctx.translate('en', key, values));
    expect(message).to.equal('The file has more than 500 chapters: 11 were omitted.');
    const { chapters } = await media.make(await clip('mkv', h264, [[1, long]]));
    expect(rounded(chapters)).to.deep.equal([{ startSeconds: 1, title: 'x'.repeat(199) }]);
  });

  it('never replace the owner’s chapters or empty list, and are added when an older content is processed again', async () => {
    const { id } = await media.make(await clip('mkv', h264, parts));
    await replaceChapters(media.ctx, id, []);
    expect((await complete(id)).chapters).to.deep.equal([]);
    const own = [{ startSeconds: 2, title: 'Mine' }];
    await replaceChapters(media.ctx, id, own);
    const again = async () => {
      expect(await reprocessContent(media.ctx, id, { by: 'OPERATOR' })).to.equal('BEGUN');
      return (await complete(id)).chapters;
    };
    expect(await again()).to.deep.equal(own);
    await changeRow(media.ctx, Content, id, { chapters: null });
    expect(rounded(await again())).to.deep.equal(expected);
  });
});
