import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

/** The stored digests of documents depend on these members and values: a difference makes the drift sweep write all of them. */
describe('The search documents of live channels and events', () => {
  const studio = useFixture(openStudio);

  async function documentOf(name: string, id: string) {
    const [document] = (await indexes.find((index) => index.name === name)?.document(studio.ctx, [id])) ?? [];
    return document;
  }

  const publisherTexts = () => ({
    ownerId: studio.publisher.userId,
    userCode: studio.publisher.userCode,
    firstName: 'Ada',
    lastName: 'Lovelace',
    pageTitle: null,
    pageDescription: null,
  });

  it('a channel', async () => {
    const channelId = await studio.channel({ name: 'Alps', tags: ['snow'] });
    expect(await documentOf('liveChannel', channelId)).to.deep.equal({
      ...publisherTexts(),
      ...{ id: channelId, public: true, visible: true, name: 'Alps', description: null, tags: ['snow'] },
    });
  });

  it('an event, with the texts of its channel; not visible where the channel is unlisted', async () => {
    const channelId = await studio.channel({ name: 'Alps', description: 'White', tags: ['snow'], public: false });
    const now = studio.ctx.clock.now().getTime();
    const { eventId } = await studio.event(10, 20, { description: 'Fast', recordEvent: true }, channelId);
    const wholeSeconds = (minutes: number) => Math.floor((now + minutes * 60_000) / 1000) * 1000;
    expect(await documentOf('liveEvent', eventId)).to.deep.equal({
      ...publisherTexts(),
      ...{ id: eventId, channelId, public: true, recorded: true, visible: false, paymentMode: 'FREE' },
      ...{ startsAt: wholeSeconds(10), endsAt: wholeSeconds(20), name: 'Descent', description: 'Fast', tags: [] },
      ...{ channelName: 'Alps', channelDescription: 'White', channelTags: ['snow'] },
    });
  });
});
