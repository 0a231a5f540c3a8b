import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { withCaptionWords } from '../../../shared/caption/caption.queries.js';
import { Caption } from '../../../shared/caption/caption.model.js';
import { maxWordsOfContent } from '../../../shared/caption/captionWords.js';
import { seedBoxItem } from '../../support/contents.js';
import { givenService } from '../../support/service.js';
import { createUser } from '../../support/users.js';

describe('the search words of captions of a content', () => {
  const { ctx } = givenService();

  const wordsOf = async (lengths: readonly number[]): Promise<string[][]> => {
    const { contentId } = await seedBoxItem(ctx, await createUser(ctx));
    const now = ctx.clock.now();
    for (const [index, count] of lengths.entries())
      await ctx.db.model(Caption).create({
        ...{ id: randomUUID(), contentId, origin: 'OWNER', stream: null, language: 'en', label: `${index}` },
        ...{ kind: 'captions', cues: [], bytes: 0, createdAt: new Date(now.getTime() + index), updatedAt: now },
        words: Array.from({ length: count }, (_, word) => `w${index}x${String(word).padStart(5, '0')}`).join(' '),
      });
    const [row] = await withCaptionWords(ctx, [{ contentId }]);
    const words = (row?.captionWords ?? '').split(' ');
    expect(words.join(' ').length).to.be.at.most(maxWordsOfContent + lengths.length);
    return lengths.map((_, index) => words.filter((word) => word.startsWith(`w${index}x`)));
  };

  it('are all of them, up to a limit', async () => {
    const found = await wordsOf([3_000, 20, 4_000]);
    expect(found.map(({ length }) => length)).to.deep.equal([3_000, 20, 4_000]);
  });

  it('are as many of each long one beyond it, all of the short ones, and whole words', async () => {
    const found = await wordsOf([6_000, 100, 6_500, 6_000, 6_000]);
    // 9 characters each, with the space.
    const share = Math.floor((maxWordsOfContent - 100 * 9) / 4 / 9);
    expect(found.map(({ length }) => length)).to.deep.equal([share, 100, share, share, share]);
    for (const words of found) for (const word of words) expect(word).to.match(/^w\dx\d{5}$/);
  });
});
