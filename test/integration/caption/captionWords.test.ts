import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { withCaptionWords } from '../../../shared/caption/caption.queries.js';
import { Caption } from '../../../shared/caption/caption.model.js';
import { maxWordsOfContent } from '../../../shared/caption/captionWords.js';
import { seedBoxItem } from '../../support/contents.js';
import { drainSearch } from '../../support/drainSearch.js';
import { useFixture } from '../../support/fixtures.js';
import { serviceFixture } from '../../support/service.js';
import { createUser } from '../../support/users.js';
import { boxFixture } from '../box/openBox.js';

describe('the search words of a content’s captions', () => {
  const { ctx } = serviceFixture();

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

  it('contain all words up to the size limit', async () => {
    const found = await wordsOf([3_000, 20, 4_000]);
    expect(found.map(({ length }) => length)).to.deep.equal([3_000, 20, 4_000]);
  });

  it('contain all short captions, and complete words from the start of each long caption, above the limit', async () => {
    const found = await wordsOf([6_000, 100, 6_500, 6_000, 6_000]);
    // 9 characters each, including the space.
    const share = Math.floor((maxWordsOfContent - 100 * 9) / 4 / 9);
    expect(found.map(({ length }) => length)).to.deep.equal([share, 100, share, share, share]);
    for (const words of found) for (const word of words) expect(word).to.match(/^w\dx\d{5}$/);
  });
});

describe('a search for words of captions', () => {
  const { ctx, api, user, other, call } = boxFixture();
  const items = useFixture(async () => {
    const [said, titled] = [
      await seedBoxItem(ctx, user.userId),
      await seedBoxItem(ctx, user.userId, { title: 'Zyzzyva' }),
    ];
    const form = new FormData();
    form.append('language', 'en');
    form.append('file', new Blob(['WEBVTT\n\n00:01.000 --> 00:02.000\nA zyzzyva, really\n']), 'x.vtt');
    const { status } = await api.call('POST', `/api/box/${said.boxId}/captions`, { token: user.token, body: form });
    expect(status).to.equal(201);
    for (const { boxId } of [said, titled]) await call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' });
    await drainSearch(ctx);
    return { said, titled };
  });
  const found = async (path: string, queryString: string, as = user): Promise<string[]> => {
    const { body } = await call('POST', path, { queryString }, as);
    return (body.items as { boxId: string }[]).map(({ boxId }) => boxId);
  };

  it('finds the item in the box and in VOD, ranked after items with the word in their title', async () => {
    const expected = [items.titled.boxId, items.said.boxId];
    for (const path of ['/api/search/box/contents', '/api/public/search/vod/contents', '/api/search/vod/contents'])
      expect(await found(path, 'zyzzyva'), path).to.deep.equal(expected);
    expect(await found('/api/search/box/contents', 'really')).to.deep.equal([items.said.boxId]);
    expect(await found('/api/search/box/contents', 'zyzzyva', other)).to.deep.equal([]);
  });
});
