import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { freeTerms, inBundle, openShop, type PublishedItem } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

/** The digests of stored documents depend on these members and values: after a change, the drift sweep writes all documents. */
describe('the search document of a VOD item', () => {
  const shop = useFixture(openShop);

  async function documentOf({ vodId }: PublishedItem) {
    const index = indexes.find(({ name }) => name === 'vod');
    const [document] = (await index?.document(shop.ctx, [vodId])) ?? [];
    if (!document) throw new Error(`no document of ${vodId}`);
    const { publishedAt, ...members } = document;
    expect(publishedAt).to.be.a('number');
    return members;
  }

  const publisherTexts = () => ({
    userCode: shop.publisher.userCode,
    firstName: 'Ada',
    lastName: 'Lovelace',
    pageTitle: null,
    pageDescription: null,
  });

  it('contains the texts of its bundle', async () => {
    const bundleId = await shop.newBundle({ name: 'Alps', description: 'Glaciers', tags: ['summit'] });
    const item = await shop.published(inBundle(bundleId), { title: 'Peak', tags: ['snow'] });
    expect(await documentOf(item)).to.deep.equal({
      id: item.vodId,
      ownerId: shop.publisher.userId,
      public: true,
      visible: true,
      licenseType: 'CONTENT_BUNDLE',
      ccType: null,
      bundleId,
      expiresAt: Date.UTC(9999, 11, 31),
      title: 'Peak',
      description: null,
      tags: ['snow'],
      bundleName: 'Alps',
      bundleDescription: 'Glaciers',
      bundleTags: ['summit'],
      captionWords: null,
      ...publisherTexts(),
    });
  });

  it('contains null for the bundle’s texts without a bundle', async () => {
    const document = await documentOf(await shop.published(freeTerms));
    expect(document).to.include({ bundleId: null, bundleName: null, bundleDescription: null, bundleTags: null });
  });
});
