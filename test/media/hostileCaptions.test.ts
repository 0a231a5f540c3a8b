import { expect } from 'chai';
import { Caption } from '../../shared/caption/caption.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { failureMessage } from '../../shared/views/box.views.js';
import { readSourceCaptionsHandler } from '../../workers/transcoding/readSourceCaptions.js';
import { openTestContext } from '../support/context.js';
import { useFixture } from '../support/fixtures.js';
import { watchLoop } from '../support/loopWatch.js';
import { matroskaFile, type MatroskaSubtitles, type SubtitleBlock } from '../support/matroska.js';
import { uploadClip } from '../support/media.js';
import { makeUser } from '../support/users.js';
import { jobRunOf } from '../support/workers.js';

/** The maximum time for which the event loop is blocked. A content's lease lasts many times longer. */
const maxSliceMs = 100;

describe('Oversized or invalid subtitles of a source', function () {
  this.timeout(300_000);
  const ctx = useFixture(() => openTestContext());

  const good = (text: string): SubtitleBlock[] => [
    [0, 900, `${text} 1`],
    [2000, 900, `${text} 2`],
  ];
  const cues = function* (count: number, text: string, everyMs = 10): Generator<SubtitleBlock> {
    for (let index = 0; index < count; index += 1) yield [index * everyMs, everyMs, text];
  };
  const read = async (subtitles: readonly MatroskaSubtitles[]) => {
    const { id: ownerId } = await makeUser(ctx);
    const id = await uploadClip(ctx, ownerId, matroskaFile(4, subtitles), 'clip.mkv');
    const run = jobRunOf(ctx, { contentId: id });
    const loop = watchLoop();
    const result = await readSourceCaptionsHandler(run).finally(() => loop.stop());
    return { id, result, sliceMs: loop.maxMs };
  };
  const textsOf = async (contentId: string) =>
    (await ctx.db.model(Caption).findAll({ where: { contentId }, order: ['stream'] })).map((caption) => [
      ...[caption.language, caption.cues.map(({ text }) => text)],
    ]);
  const messageOf = async (id: string, language: 'en' | 'fr'): Promise<string | undefined> => {
    const content = await findContent(ctx, id);
    if (!content) throw new Error('the content is missing');
    const { message } = failureMessage({ ...content, status: 'READY', hasFailed: false }, (key, values) =>
      ctx.translate(language, key, values),
    );
    return message;
  };

  it('are left out by language, are reported to the owner, and do not block the event loop', async () => {
    const paragraph = 'a\n'.repeat(30_000);
    const { id, result, sliceMs } = await read([
      { language: 'eng', cues: good('Hello') },
      { language: 'ger', cues: cues(3_500, paragraph) },
      { language: 'fre', cues: [[0, 1000, 'a\n'.repeat(450_000)]] },
      { language: 'spa', cues: cues(60_000, 'x') },
      { language: 'por', cues: cues(3_000, 'y'.repeat(1_900)) },
      { language: 'ita', cues: good('Ciao') },
    ]);
    expect(result).to.deep.equal({ streams: 6, added: 2, leftOut: 4 });
    expect(await textsOf(id)).to.deep.equal([
      ['en', ['Hello 1', 'Hello 2']],
      ['it', ['Ciao 1', 'Ciao 2']],
    ]);
    expect(await messageOf(id, 'en')).to.equal(
      'Subtitles of the file that were omitted: Deutsch (too much text), Français (a caption is too long), ' +
        'Español (too many captions), Português (too much text).',
    );
    expect(await messageOf(id, 'fr')).to.include('Deutsch (trop de texte)');
    expect(sliceMs).to.be.below(maxSliceMs);
  });

  it('lose only the cues that no player can show', async () => {
    const { id, result } = await read([
      { language: 'eng', cues: [...good('Hello'), [1000, 0, 'ends when it begins'], [3000, 500, 'x'.repeat(5000)]] },
    ]);
    expect(result).to.deep.equal({ streams: 1, added: 1, leftOut: 1 });
    expect(await textsOf(id)).to.deep.equal([['en', ['Hello 1', 'Hello 2']]]);
    expect(await messageOf(id, 'en')).to.equal('Captions of the file that cannot be shown were omitted: English (2).');
  });

  it('do not block the event loop longer at the maximum permitted size', async () => {
    const { result, sliceMs } = await read([{ language: 'eng', cues: cues(49_000, 'x'.repeat(40), 20) }]);
    expect(result).to.deep.equal({ streams: 1, added: 1, leftOut: 0 });
    expect(sliceMs).to.be.below(maxSliceMs);
  });
});
