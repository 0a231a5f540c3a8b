import { expect } from 'chai';
import { authorizePublish } from '../../../shared/streaming/publishing.service.js';
import { openStudio } from '../live/studio.js';
import { castItem, channelKind, streamKind, type CastKind } from './castItems.js';
import { livePassword } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

describe('publishing to the path of a cast item', () => {
  const studio = useFixture(openStudio);

  async function decisionOf(kind: CastKind) {
    const sent = studio.aChannel();
    const id = await castItem(studio, kind, sent);
    const streamPath = String(sent['streamPath']);
    const { userCode, userId: ownerId } = studio.publisher;
    const decision = await authorizePublish(studio.ctx, { streamPath, userCode, livePassword });
    return { decision, stream: { id, ownerId, path: streamPath } };
  }

  it('is allowed for a cast stream', async () => {
    const { decision, stream } = await decisionOf(streamKind);
    expect(decision).to.deep.equal({ allowed: true, stream });
  });

  it('is rejected for a cast channel, with a reason for the log', async () => {
    const { decision } = await decisionOf(channelKind);
    expect(decision).to.include({ allowed: false, reason: 'path of a cast channel, which plays its programs' });
    expect(decision).to.include({ refusal: 'CAST_CHANNEL_PATH' });
  });
});
