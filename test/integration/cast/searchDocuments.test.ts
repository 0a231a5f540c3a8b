import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { openStudio } from '../live/studio.js';
import { castItem, channelKind, streamKind } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';

/** The digests of stored documents depend on these members and values: after a change, the drift sweep writes all documents. */
describe('the search documents of cast channels and streams', () => {
  const studio = useFixture(openStudio);

  async function documentOf(name: string, id: string) {
    const [document] = (await indexes.find((index) => index.name === name)?.document(studio.ctx, [id])) ?? [];
    return document;
  }

  it('contain a channel with the texts of its publisher', async () => {
    const id = await castItem(studio, channelKind, { name: 'Alps', tags: ['snow'] });
    const { userId: ownerId, userCode } = studio.publisher;
    expect(await documentOf('castChannel', id)).to.deep.equal({
      ...{ id, ownerId, visible: true, name: 'Alps', description: null, tags: ['snow'] },
      ...{ userCode, firstName: 'Ada', lastName: 'Lovelace', pageTitle: null, pageDescription: null },
    });
  });

  it('contain a stream', async () => {
    const id = await castItem(studio, streamKind, { name: 'Alps', description: 'White' });
    expect(await documentOf('castStream', id)).to.deep.equal({
      ...{ id, ownerId: studio.publisher.userId, name: 'Alps', description: 'White', tags: [] },
    });
  });
});
