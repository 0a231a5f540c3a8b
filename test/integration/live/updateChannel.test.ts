import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

/** Its 400 are those of creating a channel. */
describe('POST /api/live/channel/{channelId}', () => {
  const studio = useFixture(openStudio);

  const update = (channelId: string, body: object, token?: string) =>
    studio.post(`/api/live/channel/${channelId}`, body, token);

  it('200: replaces all members; `public` is unchanged if it is left out', async () => {
    const before = studio.aChannel({ description: 'Snow', tags: ['a'], public: false });
    const channelId = await studio.channel(before);
    const { streamPath } = before;
    const changed = bodyOf(200, await update(channelId, { name: 'Sea', streamPath }));
    expect(changed).to.include({ channelId, name: 'Sea', streamPath, public: false });
    expect(changed).to.not.have.any.keys('description', 'tags');
    expect(bodyOf(200, await update(channelId, { name: 'Sea', streamPath, public: true })).public).to.equal(true);
    expect((await studio.get(`/api/live/channel/${channelId}`)).body.public).to.equal(true);
  });

  it('200: without name or stream path only the members that are sent change, also at the same time', async () => {
    const sent = studio.aChannel({ description: 'Snow', tags: ['a'], public: false });
    const channelId = await studio.channel(sent);
    const changes = [{ name: 'Sea' }, { description: 'Salt' }, { tags: ['b'] }, { public: true }];
    for (const response of await Promise.all(changes.map((body) => update(channelId, body)))) bodyOf(200, response);
    const whole = { name: 'Sea', description: 'Salt', tags: ['b'], public: true, streamPath: sent['streamPath'] };
    expect((await studio.get(`/api/live/channel/${channelId}`)).body).to.deep.include(whole);
    expect(bodyOf(200, await update(channelId, { description: '' }))).to.not.have.property('description');
    expect(rejectedFields(await update(channelId, {}))).to.deep.equal(['name required']);
  });

  it('200: accepts a whole channel as it was read', async () => {
    const body = bodyOf(201, await studio.createChannel(studio.aChannel({ description: 'Snow', tags: ['a', 'b'] })));
    expect(bodyOf(200, await update(body.channelId, body))).to.deep.equal(body);
  });

  it('200: another stream path frees the present one', async () => {
    const [first, second] = [studio.aChannel(), studio.aChannel()];
    const channelId = await studio.channel(first);
    expect(bodyOf(200, await update(channelId, second)).streamPath).to.equal(second['streamPath']);
    bodyOf(201, await studio.createChannel(first));
  });

  it('400 for the members of creating a channel', async () => {
    const response = await update(await studio.channel(), { name: ' ', streamPath: '/' });
    expect(rejectedFields(response)).to.deep.equal(['name blank', 'streamPath streamPathForm']);
  });

  it('404 for the channel of another user, of which nothing changes', async () => {
    const channelId = await studio.channel();
    bodyOf(404, await update(channelId, studio.aChannel({ name: 'Mine' }), studio.viewer.token));
    expect((await studio.get(`/api/live/channel/${channelId}`)).body.name).to.not.equal('Mine');
  });

  it('409 for a stream path that is taken', async () => {
    const taken = studio.aChannel();
    await studio.channel(taken);
    const channelId = await studio.channel();
    expect(bodyOf(409, await update(channelId, taken)).exception).to.equal('DataIntegrityViolationException');
  });
});
