import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { integrationHeaders } from '../../support/streams.js';
import { openStudio } from '../live/studio.js';
import { castItem, castKinds, channelKind, streamKind } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';

/** Other names, users and credentials: `integration/streamNames.test.ts`. */
describe('GET /rest/{integration}/cast/channel and /cast/entity', () => {
  const studio = useFixture(openStudio);

  const ask = (operation: string, streamPath = '') =>
    studio.api.call('GET', `/rest/integration/cast/${operation}/${streamPath}`, {
      headers: integrationHeaders(studio.api),
    });

  it('return 200 for items that users have created, and 404 after their deletion', async () => {
    const creatorCode = studio.publisher.userCode;
    const [channelPath, streamPath] = [studio.aChannel(), studio.aChannel()].map((body) => String(body['streamPath']));
    const channelCode = await castItem(studio, channelKind, { streamPath: channelPath });
    const streamId = await castItem(studio, streamKind, { streamPath });
    expect(bodyOf(200, await ask('channel', channelPath))).to.deep.equal({ channelCode, creatorCode });
    expect(bodyOf(200, await ask('entity', channelPath))).to.deep.equal({ entityType: 'CHANNEL', creatorCode });
    expect(bodyOf(200, await ask('entity', streamPath))).to.deep.equal({ entityType: 'STREAM', creatorCode });
    bodyOf(404, await ask('channel', streamPath));
    for (const [position, kind] of castKinds.entries())
      bodyOf(204, await studio.remove(`${kind.path}/${[channelCode, streamId][position]}`));
    for (const path of [channelPath, streamPath]) bodyOf(404, await ask('entity', path));
  });
});
