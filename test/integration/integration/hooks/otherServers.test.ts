import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { basic } from '../../../support/api.js';
import { nodeMediaServerHook, ovenBody, ovenHook, srsHook } from '../../../support/hooks.js';
import { openHookService } from './hookService.js';
import { guardedCallsPerMinute } from '../../../../shared/platform/throttle/subject.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';

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
