import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { basic, integrationHeaders } from '../../../support/api.js';
import {
  nodeMediaServerHook,
  ovenBody,
  ovenHook,
  srsHook,
  mediamtxHook,
  recordedServers,
} from '../../../support/hooks.js';
import { openHookService, type Publisher } from './hookService.js';
import { guardedCallsPerMinute } from '../../../../shared/platform/throttle/subject.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';
import { writeGrant } from '../../../../shared/playback/grant.js';
import { provenViewerSession } from '../../../../shared/playback/playbackToken.js';
import { LiveRun } from '../../../../shared/streaming/streaming.model.js';
import { changeRows, changeRow } from '../../../support/rows.js';
import { publishSeconds } from '../../../support/licenses.js';
import { markEncoderLeft } from '../../../../shared/streaming/liveRun.lifecycle.js';
import { refusedEncoderOf } from '../../../../shared/streaming/refusedEncoder.service.js';
import { renewRun } from '../../../support/liveRun.js';
import { makeRun } from '../../../support/liveStreams.js';
import { User } from '../../../../shared/user/user.model.js';
import { disableUser } from '../../../support/users.js';

const secret = 'a secret of the engine';

describe('hooks of OvenMediaEngine', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  it('return 401 for another secret, a changed body, no signature, and basic credentials instead', async () => {
    const { api } = service;
    const body = ovenBody(api, 'opening', publisher);
    expect((await ovenHook(api, body, 'another secret of it')).status).to.equal(401);
    expect((await ovenHook(api, body, '')).status).to.equal(401);
    const { user, password } = api.ctx.config.integration!;
    const post = (headers: Record<string, string>, sent = body) =>
      api.call('POST', '/rest/integration/hooks/ovenmediaengine', { headers, body: sent });
    expect((await post({})).status).to.equal(401);
    expect((await post({ authorization: basic(api, user, password) })).status).to.equal(401);
    const signed = { 'x-ome-signature': signatureOf(body) };
    expect((await post(signed, `${body} `)).status).to.equal(401);
    expect(await service.runs(publisher.streamId)).to.deep.equal([]);
    expect((await post({ 'x-ome-signature': `${signatureOf(body)}=` })).body).to.deep.equal({ allowed: true });
  });

  it('return 401 for a hook that is replayed after five minutes, or dated in the future', async () => {
    const { api, ctx } = service;
    const body = ovenBody(api, 'opening', publisher);
    expect((await ovenHook(api, body, secret)).body).to.deep.equal({ allowed: true });
    ctx.clock.advance(5 * 60_000 + 1);
    expect((await ovenHook(api, body, secret)).status).to.equal(401);
    const time = new Date(ctx.clock.now().getTime() + 10 * 60_000).toISOString();
    expect((await ovenHook(api, ovenBody(api, 'opening', publisher, { time }), secret)).status).to.equal(401);
    expect((await ovenHook(api, ovenBody(api, 'opening', publisher, { time: 'x' }), secret)).status).to.equal(401);
  });

  it('return 429 after too many invalid signatures, and accept valid ones', async () => {
    const limited = await openHookService({}, { limits: [[guardedCallsPerMinute, 3]] });
    try {
      const { api } = limited;
      const body = ovenBody(api, 'opening', await limited.publisher());
      const statuses: number[] = [];
      for (let guess = 0; guess < 5; guess += 1) statuses.push((await ovenHook(api, body, `guess ${guess}`)).status);
      expect(statuses).to.deep.equal([401, 401, 401, 429, 429]);
      expect((await ovenHook(api, body, secret)).body).to.deep.equal({ allowed: true });
      const asUser = (password: string) =>
        api.call('GET', '/rest/integration/user/nobody.here', {
          headers: { authorization: basic(api, api.ctx.config.integration!.user, password) },
        });
      expect((await asUser('wrong')).status).to.equal(401);
      expect((await asUser(api.ctx.config.integration!.password)).status).to.equal(404);
    } finally {
      await limited.close();
    }
  });

  it('require a token from viewers, ignore their end, and reject an address without a stream', async () => {
    const { api } = service;
    const send = async (event: 'opening' | 'closing', members: object) =>
      (await ovenHook(api, ovenBody(api, event, publisher, members), secret)).body;
    const outgoing = { direction: 'outgoing' };
    expect(await send('opening', outgoing)).to.deep.equal({ allowed: false, reason: 'not allowed' });
    expect(await send('closing', outgoing)).to.deep.equal({});
    for (const url of ['rtmp://host:1935/live', 'x', 'rtmp://host/live/?user=a', 'rtmp://host/live/../x'])
      expect((await send('opening', { url })).allowed, url).to.equal(false);
  });

  function signatureOf(body: string): string {
    return createHmac('sha1', secret).update(body).digest('base64url');
  }
});

describe('hooks of OvenMediaEngine without a secret', () => {
  it('return 401 for every signature, also an empty one', async () => {
    const service = await openHookService({ OVENMEDIAENGINE_SECRET: '' });
    try {
      const body = ovenBody(service.api, 'opening', await service.publisher());
      for (const tried of ['', 'undefined', 'null'])
        expect((await ovenHook(service.api, body, tried)).status).to.equal(401);
    } finally {
      await service.close();
    }
  });
});

describe('hooks of SRS and Node-Media-Server', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  const states = async () => (await service.runs(publisher.streamId)).map(({ state }) => state);

  it('SRS: return 0 for actions without a decision, require a token to play, and reject an ended connection', async () => {
    for (const action of ['on_connect', 'on_close', 'on_stop', 'on_dvr', 'on_hls'])
      expect((await srsHook(service.api, action, publisher)).body, action).to.deep.equal({ code: 0 });
    expect((await srsHook(service.api, 'on_play', publisher)).body).to.deep.equal({ code: 403 });
    const { user, password } = service.ctx.config.integration!;
    const own = { ...publisher, user, pass: password };
    expect((await srsHook(service.api, 'on_play', own)).body).to.deep.equal({ code: 0 });
    for (const action of ['on_publish', 'on_unpublish']) await srsHook(service.api, action, publisher);
    expect((await srsHook(service.api, 'on_publish', publisher)).body).to.deep.equal({ code: 403 });
    expect(await states()).to.deep.equal(['ENDED']);
  });

  it('Node-Media-Server: offer one run for both actions before a publication, and none for other actions', async () => {
    for (const action of ['prePublish', 'postPublish', 'doneRecord', 'donePlay'])
      expect((await nodeMediaServerHook(service.api, action, publisher)).status, action).to.equal(200);
    expect(await states()).to.deep.equal(['OFFERED']);
    expect((await nodeMediaServerHook(service.api, 'prePlay', publisher)).status).to.equal(403);
  });
});

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

describe('hooks of every streaming server', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  const states = async () => (await service.runs(publisher.streamId)).map(({ state }) => state);

  for (const server of recordedServers) {
    const publish = (more: Partial<Publisher> = {}) => server.publish(service.api, { ...publisher, ...more });
    const end = (more: Partial<Publisher> = {}) => server.end(service.api, { ...publisher, ...more });

    it(`${server.name}: offer one run with a pull URL for twenty concurrent hooks of a publication`, async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => publish()));
      for (const response of responses) expect(server.isAllowed(response), response.text).to.equal(true);
      const runs = await service.runs(publisher.streamId);
      expect(runs).to.have.length(1);
      expect(runs[0]).to.include({
        state: 'OFFERED',
        source: 'PULL',
        pullUrl: `rtmp://127.0.0.1:1936/live/${publisher.path}`,
        clientAddress: '203.0.113.7',
        endReason: null,
      });
    });

    it(`${server.name}: reject all invalid encoders and offer no run`, async () => {
      const [other, withoutPassword] = [await service.publisher(), await service.publisher()];
      await changeRow(service.ctx, User, withoutPassword.userId, { livePassword: null });
      const responses = await Promise.all([
        ...['wrong', ''].map((pass) => publish({ pass })),
        ...['', 'nobody', '\u0000', 'x'.repeat(3000)].map((user) => publish({ user })),
        ...[other.path, 'unknown', '..'].map((path) => publish({ path })),
        server.publish(service.api, withoutPassword),
      ]);
      for (const response of responses)
        expect(server.isRefused(response), `${response.status} ${response.text}`).to.equal(true);
      const texts = responses.map(({ text }) => text.replace(/"timestamp":\d+/, ''));
      expect(new Set(texts).size).to.equal(1);
      await publishSeconds(service.ctx, publisher.userId, 10 * 3600);
      expect(server.isRefused(await publish()), 'used-up streaming hours').to.equal(true);
      await disableUser(service.ctx, other.userId);
      expect(server.isRefused(await server.publish(service.api, other)), 'a disabled user').to.equal(true);
      expect(await states()).to.deep.equal([]);
      expect(await service.runs(other.streamId)).to.deep.equal([]);
    });

    it(`${server.name}: end a run with its own connection, for any number of reports, but not with another connection`, async () => {
      await publish();
      expect(server.isAllowed(await end({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['OFFERED']);
      for (const response of await Promise.all([end(), end(), end()]))
        expect(server.isAllowed(response), response.text).to.equal(true);
      const [run, ...others] = await service.runs(publisher.streamId);
      expect([run?.state, run?.endReason, others]).to.deep.equal(['ENDED', 'ended by the streaming server', []]);
    });

    it(`${server.name}: reject a second publisher while media arrives, and show it to the owner`, async () => {
      await publish();
      await service.ctx.db.change(
        "UPDATE live_runs SET state = 'OPEN', lease_until = now() + interval '10 s', opened_at = $now, last_media_at = $now WHERE stream_id = $id",
        { id: publisher.streamId, now: service.ctx.clock.now() },
      );
      expect(server.isRefused(await publish({ connection: 2 }))).to.equal(true);
      await end({ connection: 2 });
      expect(await states()).to.deep.equal(['OPEN']);
      expect(await refusedEncoderOf(service.ctx, publisher.streamId)).to.include({
        ...{ reason: 'ALREADY_PUBLISHED', address: '203.0.113.7' },
      });
      // The first encoder has disconnected, and no hook has reported it.
      service.ctx.clock.advance(11_000);
      expect(server.isAllowed(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
      expect(await refusedEncoderOf(service.ctx, publisher.streamId)).to.equal(null);
    });

    it(`${server.name}: reject a second publisher in the first seconds`, async () => {
      await publish();
      expect(server.isRefused(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['OFFERED']);
      // The first publisher has never sent media.
      service.ctx.clock.advance(21_000);
      expect(server.isAllowed(await publish({ connection: 3 }))).to.equal(true);
      expect((await states()).at(-1)).to.equal('OFFERED');
    });

    it(`${server.name}: reject an encoder while another one publishes to the embedded server`, async () => {
      const { streamId, userId: ownerId } = publisher;
      const run = await makeRun(service.ctx, { streamId, ownerId, path: publisher.path });
      await renewRun(service.ctx, { ...run, lastMediaAt: service.ctx.clock.now(), receivedBytes: 1000 });
      expect(server.isRefused(await publish())).to.equal(true);
      expect(await states()).to.deep.equal(['OPEN']);
      await markEncoderLeft(service.ctx, run);
      expect(server.isAllowed(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
    });

    it(`${server.name}: return 400 for invalid bodies and 413 for long ones`, async () => {
      const path = `/rest/integration/hooks/${server.name}`;
      const send = async (body: string) =>
        (await service.api.call('POST', path, { headers: integrationHeaders(service.api), body })).status;
      for (const strange of ['', '[1', '{"a":1}'])
        expect(await send(strange), strange).to.equal(server.name === 'ovenmediaengine' ? 401 : 400);
      expect(await send(`{"a":"${'x'.repeat(20_000)}"}`)).to.equal(413);
    });
  }
});
