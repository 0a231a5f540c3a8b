import { expect } from 'chai';
import { writeGrant } from '../../../../shared/playback/grant.js';
import { provenViewerSession } from '../../../../shared/playback/playbackToken.js';
import { mediamtxHook } from '../../../support/hooks.js';
import { openHookService } from './hookService.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';
import { LiveRun } from '../../../../shared/streaming/streaming.model.js';
import { changeRows } from '../../../support/rows.js';

describe('hooks of MediaMTX', () => {
  const service = useFixture(() => openHookService({ LIVE_PULL_URL: 'rtsp://127.0.0.1:8554/{streamPath}' }));
  const publisher = fixtureEach(() => service.publisher());

  const send = async (more: object = {}) => (await mediamtxHook(service.api, publisher, more)).status;

  function tokenOf(streamName: string): string {
    const { config, clock } = service.ctx;
    const expiresSeconds = Math.floor(clock.now().getTime() / 1000) + 60;
    const signed = { kind: 'live', viewerCode: null, publisherCode: 'bob', expiresSeconds } as const;
    const sessionId = provenViewerSession(config.playback.keys, 'abcdefghijklmnop', signed, streamName);
    return writeGrant(config.playback.keys, { ...signed, sessionId, prefix: `live/${publisher.streamId}/` });
  }

  it('return 401 for the first request, without credentials, then 200, for a path without application', async () => {
    expect(await send({ user: '', password: '', token: '', query: '' })).to.equal(401);
    expect(await send()).to.equal(200);
    const [run] = await service.runs(publisher.streamId);
    expect(run?.pullUrl).to.equal(`rtsp://127.0.0.1:8554/${publisher.path}`);
  });

  it('accept the same fields for SRT and WHIP', async () => {
    expect(await send({ protocol: 'srt', query: '' })).to.equal(200);
    // The first publisher has never sent media.
    service.ctx.clock.advance(21_000);
    expect(await send({ protocol: 'webrtc', query: '', id: '5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a' })).to.equal(200);
  });

  it('return 401 for a repeated hook of an ended publication', async () => {
    expect(await send()).to.equal(200);
    await changeRows(service.ctx, LiveRun, { streamId: publisher.streamId }, { state: 'ENDED' });
    expect(await send()).to.equal(401);
  });

  it('return 401 for a missing connection id and a duplicate parameter', async () => {
    expect(await send({ id: null })).to.equal(401);
    expect(await send({ query: 'user=a&user=b' })).to.equal(401);
  });

  it('return 401 to readers without a token, and 200 with the stream’s token or the integration’s credentials', async () => {
    const read = { action: 'read', user: '', password: '', token: '', query: '' };
    const { user, password } = service.ctx.config.integration!;
    expect(await send(read)).to.equal(401);
    expect(await send({ ...read, query: `token=${tokenOf(publisher.path)}` })).to.equal(200);
    expect(await send({ ...read, query: `token=${tokenOf('another')}` })).to.equal(401);
    expect(await send({ ...read, user, password })).to.equal(200);
    // A live password permits publishing only.
    expect(await send({ action: 'read' })).to.equal(401);
  });

  it('return 401 to everybody for the server’s own API', async () => {
    const { user, password } = service.ctx.config.integration!;
    for (const action of ['api', 'metrics', 'pprof'])
      expect(await send({ action, path: '', user, password }), action).to.equal(401);
  });
});
