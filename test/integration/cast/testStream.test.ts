import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { liveScopes } from '../../../shared/liveScopes.js';
import { makeRun, makeSegment, testRendition, type TestRun } from '../../support/liveStreams.js';
import { setRunMedia } from '../../../shared/streaming/liveRun.lifecycle.js';
import { type TestUser, bodyOf } from '../../support/api.js';
import { openStudio } from '../live/studio.js';
import { castItem, channelKind, streamKind } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';
import { LiveSegment } from '../../../shared/streaming/streaming.model.js';
import { removeRows } from '../../support/rows.js';

describe('POST /api/cast/stream/{streamId}/test', () => {
  const studio = useFixture(openStudio);

  const test = (streamId: string, token = studio.publisher.token, headers = {}) =>
    studio.post(`/api/cast/stream/${streamId}/test`, undefined, token, headers);

  /** An encoder publishes to a stream; one segment is stored unless `segments` is 0. */
  async function publish(streamId: string, by: TestUser = studio.publisher, segments = 1): Promise<TestRun> {
    const run = await makeRun(studio.ctx, { streamId, ownerId: by.userId, path: randomUUID() });
    await setRunMedia(studio.ctx, { ...run, renditions: [testRendition('240p')] });
    await makeSegment(studio.ctx, run, { startsAt: studio.ctx.clock.now(), renditions: ['240p'] });
    if (segments === 0) await removeRows(studio.ctx, LiveSegment, { runId: run.runId });
    return run;
  }

  it('returns 200 PLAY with the stream and a URL that plays the publication', async () => {
    const streamId = await castItem(studio, streamKind);
    await publish(streamId);
    const body = bodyOf(200, await test(streamId));
    expect(body).to.include({ result: 'PLAY', file: `live/${streamId}/master.m3u8` });
    expect(body.resource).to.deep.equal((await studio.get(`/api/cast/stream/${streamId}`)).body);
    expect((await studio.api.call('GET', new URL(body.streamer).pathname)).status).to.equal(200);
  });

  it('returns a URL that opens no other stream', async () => {
    const [streamId, other] = [await castItem(studio, streamKind), await castItem(studio, streamKind)];
    await Promise.all([publish(streamId), publish(other)]);
    const { streamer } = bodyOf(200, await test(streamId));
    const address = new URL(streamer).pathname;
    expect((await studio.api.call('GET', address.replace(streamId, other))).status).to.equal(403);
  });

  it('returns 200 MESSAGE in the request’s language without a publication and before its first segment', async () => {
    const streamId = await castItem(studio, streamKind);
    const messageOf = async (language: string) => {
      const { result, message, srcs } = bodyOf(200, await test(streamId, undefined, { 'accept-language': language }));
      expect([result, srcs]).to.deep.equal(['MESSAGE', []]);
      return message;
    };
    expect(await messageOf('en')).to.match(/^Nothing is being published to this stream/);
    expect(await messageOf('fr')).to.match(/^Rien n’est publié sur ce flux/);
    await publish(streamId, undefined, 0);
    expect(await messageOf('en')).to.equal('The broadcast starts in a moment.');
  });

  it('returns 200 BAND_LIMIT_EXCEEDED when the monthly band is used up', async () => {
    const publisher = await studio.newPublisher();
    const streamId = await castItem(studio, streamKind, {}, publisher);
    await publish(streamId, publisher);
    await recordBand(studio.ctx, new Map([[publisher.userId, 5 * 1024 ** 3]]));
    expect(bodyOf(200, await test(streamId, publisher.token)).result).to.equal('BAND_LIMIT_EXCEEDED');
  });

  it('returns a grant of all publications of the stream, and of none by a channel id, after a deletion or of a disabled publisher', async () => {
    const publisher = await studio.newPublisher();
    const streamId = await castItem(studio, streamKind, {}, publisher);
    const scope = { streamId, from: null, until: null };
    expect(await liveScopes.find(studio.ctx, streamId)).to.deep.equal(scope);
    expect(await liveScopes.find(studio.ctx, await castItem(studio, channelKind, {}, publisher))).to.equal(null);
    const deleted = await castItem(studio, streamKind, {}, publisher);
    bodyOf(204, await studio.remove(`/api/cast/stream/${deleted}`, publisher.token));
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    for (const id of [streamId, deleted]) expect(await liveScopes.find(studio.ctx, id)).to.equal(null);
  });
});
